// Specifications, loads, and what every traffic must keep to.
#include "lab/traffic/traffic.hpp"

#include <array>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic_sparse.hpp"
#include "support/expect_error.hpp"

namespace shunt {
namespace {

using test::expect_error;

SparseTraffic small_traffic() { return {"small", {{{0, 1}, {2, 5}}, {}, {{0, 7}, {1, 2}}}}; }

TEST(Traffic, LoadsAreRowAndColumnSumsInBytes) {
  const Loads loads = loads_of(small_traffic(), 10);
  EXPECT_EQ(loads.out, (std::vector<Bytes>{60, 0, 90}));
  EXPECT_EQ(loads.in, (std::vector<Bytes>{80, 20, 50}));
  EXPECT_EQ(loads.longest_block, 70);
}

TEST(Traffic, TheBoundIsTheLargestLoadOfEitherDirection) {
  EXPECT_EQ((Loads{{1, 9}, {4, 6}, 3}.bound().largest_load), 9);
  EXPECT_EQ((Loads{{1, 4}, {2, 8}, 3}.bound().largest_load), 8);
  EXPECT_EQ((Loads{{1, 4}, {2, 8}, 3}.bound().longest_block), 3);
}

TEST(Traffic, LoadsThatExceed64BitsAreRefused) {
  constexpr Bytes kMost = std::numeric_limits<Bytes>::max();
  const SparseTraffic row("row", {{{0, kMost}, {1, 1}}, {}});
  const SparseTraffic column("column", {{{0, kMost}}, {{0, 1}}});
  EXPECT_EQ(loads_of(SparseTraffic("one", {{{0, kMost}}}), 1).bound().largest_load, kMost);
  expect_error(ErrorKind::count, "load of a rank", [&] { (void)loads_of(row, 1); });
  expect_error(ErrorKind::count, "load of a rank", [&] { (void)loads_of(column, 1); });
  expect_error(ErrorKind::count, "elements of 2 bytes", [&] { (void)loads_of(row, 2); });
  expect_error(ErrorKind::argument, "-1 bytes", [&] { (void)loads_of(row, -1); });
}

TEST(Traffic, SparseRowsKeepEveryBlock) {
  const SparseTraffic traffic = small_traffic();
  EXPECT_EQ(traffic.sparse_row(0), (SparseRow{{0, 1}, {2, 5}}));
  EXPECT_EQ(traffic.sparse_row(1), SparseRow{});
  EXPECT_EQ(sparse_rows(traffic)[2], (SparseRow{{0, 7}, {1, 2}}));
  EXPECT_EQ(traffic.count(0, 1), 0);
  EXPECT_EQ(traffic.count(0, 2), 5);
  EXPECT_EQ(traffic.count(2, 2), 0);
  std::array<Bytes, 3> counts{9, 9, 9};
  traffic.row(0, counts);
  EXPECT_EQ(counts, (std::array<Bytes, 3>{1, 0, 5}));
  traffic.column(0, counts);
  EXPECT_EQ(counts, (std::array<Bytes, 3>{1, 0, 7}));
}

TEST(Traffic, ABadSpecificationNamesItselfAndTheRule) {
  const auto refuse = [](const char* specification, const char* words) {
    expect_error(ErrorKind::argument, words,
                 [&] { (void)make_traffic(specification, TrafficShape{.ranks = 4}); });
  };
  refuse("", "traffic \"\" is neither");
  refuse("unifrom", "traffic \"unifrom\" is neither");
  refuse("unifrom", "uniform, random");
  refuse("uniform:3", "have nothing");
  refuse("zipf:", "after its colon");
  refuse("zipf:x", "\"zipf:x\" must be a number from 0 to 1000");
  refuse("zipf:1.5x", "must be a number");
  refuse("zipf:-1", "must be a number");
  refuse("zipf:nan", "must be a number");
  refuse("zipf:inf", "must be a number");
  refuse("sparse:1.01", "\"sparse:1.01\" must be a share from 0 to 1");
  refuse("neighbours:-1", "\"neighbours:-1\" must be a whole number");
  refuse("neighbours:2.5", "must be a whole number");
  refuse("neighbours:2147483648", "must be a whole number");
  refuse("banded:w", "\"banded:w\" must be a whole number");
}

TEST(Traffic, ABadShapeIsRefused) {
  const auto refuse = [](const TrafficShape& shape, const char* words) {
    expect_error(ErrorKind::argument, words, [&] { (void)make_traffic("uniform", shape); });
  };
  refuse({.ranks = 0}, "number of ranks of a traffic is 0");
  refuse({.ranks = 2, .maximum = -1}, "maximum of a traffic is -1");
  refuse({.ranks = 2, .maximum = 1, .background = -2}, "background of a traffic is -2");
}

TEST(Traffic, AFileThatIsNotThereIsAnErrorOfTheFile) {
  for (const char* path : {"no/such.mtx", "no/such.shunt", "no/such.shunt#1"}) {
    expect_error(ErrorKind::file, "no/such",
                 [&] { (void)make_traffic(path, TrafficShape{.ranks = 4}); });
  }
}

}  // namespace
}  // namespace shunt
