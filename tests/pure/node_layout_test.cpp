#include "model/node_layout.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/temporary_file.hpp"

namespace shunt {
namespace {

using test::expect_error;
using test::TemporaryFile;

TEST(NodeLayout, IsReadFromAWord) {
  EXPECT_EQ(read_node_layout("1,2,3", 6), Machine::parse("1,2,3", 6));
  EXPECT_EQ(read_node_layout("blocked:4", 6), Machine::blocked(6, 4));
  EXPECT_EQ(read_node_layout("round-robin:4", 6), Machine::round_robin(6, 4));
}

TEST(NodeLayout, IsReadFromAFile) {
  EXPECT_EQ(read_node_layout(TemporaryFile(".nodes", "0 0 1\r\n\n\t2 1\n0").path(), 6),
            Machine({0, 0, 1, 2, 1, 0}));
}

TEST(NodeLayout, MaySayHowManyRanksThereAre) {
  EXPECT_EQ(read_node_layout("1,2,3", std::nullopt), Machine::parse("1,2,3", 6));
  EXPECT_EQ(read_node_layout(TemporaryFile(".nodes", "1 0 1").path(), std::nullopt),
            Machine({1, 0, 1}));
  expect_error(ErrorKind::argument, "the nodes \"blocked:2\" do not say how many ranks there are",
               [] { (void)read_node_layout("blocked:2", std::nullopt); });
}

TEST(NodeLayout, RefusesAWordThatIsWrong) {
  expect_error(ErrorKind::argument, "the nodes \"1,2\" have 3 ranks, but must have 6",
               [] { (void)read_node_layout("1,2", 6); });
  expect_error(ErrorKind::argument, "\"x\" in \"blocked:x\" is not understood",
               [] { (void)read_node_layout("blocked:x", 6); });
  expect_error(ErrorKind::argument, "\"\" in \"\" is not understood",
               [] { (void)read_node_layout("", 6); });
  expect_error(ErrorKind::argument,
               "the nodes \"nodes.txt\" must be given as blocked:16, round-robin:4, 4,4,2 or the "
               "name of a file",
               [] { (void)read_node_layout("nodes.txt", 6); });
}

TEST(NodeLayout, RefusesAFileThatIsWrong) {
  auto expect = [](const char* text, ErrorKind kind, const char* words) {
    const TemporaryFile file(".nodes", text);
    expect_error(kind, words, [&] { (void)read_node_layout(file.path(), 3); });
  };
  expect("0 1", ErrorKind::argument, "has the nodes of 2 ranks, but must have those of 3");
  expect("0\n1\n0\n1\n", ErrorKind::file, ":4: there are more numbers of nodes than the 3 ranks");
  expect("0\none\n", ErrorKind::file, ":2: \"one\" is not the number of a node, 0 or more");
  expect("0 -1 1", ErrorKind::file, ":1: \"-1\" is not the number of a node, 0 or more");
  expect("0 2 0", ErrorKind::argument, "node 1 has no rank, but every node must have one");
}

TEST(MachineOfLabels, NumbersNodesByTheirFirstRanks) {
  EXPECT_EQ(Machine::of_labels(std::vector<Rank>{7, -3, 7, 1000000, -3}), Machine({0, 1, 0, 2, 1}));
}

}  // namespace
}  // namespace shunt
