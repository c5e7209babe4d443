// All-gathers in traces.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lab/traffic/patterns.hpp"
#include "lab/traffic/trace_file.hpp"
#include "lab/traffic/trace_use.hpp"
#include "lab/traffic/traffic_sparse.hpp"
#include "pure/traces.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_file.hpp"

namespace shunt {
namespace {

using namespace std::string_literals;
using test::content_of;
using test::empty_trace;
using test::expect_error;
using test::refuse_trace;
using test::TemporaryFile;

/// An exchange, and an all-gather of 300 elements of rank 1 and of 5 of rank 2.
Trace sample_allgathers() {
  Trace trace = empty_trace(3, 8);
  trace.matrices = {{{{0, 1}}, {}, {{1, 128}}},
                    {{}, {{0, 300}, {1, 300}, {2, 300}}, {{0, 5}, {1, 5}, {2, 5}}}};
  trace.allgathers = {1};
  trace.calls = {{1, 4, 0.5, 0, "MPI_Allgatherv"}, {0, 1, 0, 0, ""}};
  return trace;
}

std::string allgather_header(const std::string& ranks, const std::string& matrices) {
  return R"({"format":"shunt-trace","version":2,"ranks":)" + ranks +
         R"(,"element_bytes":1,"matrices":)" + matrices + R"(,"calls":[]})" + "\n";
}

TEST(AllgatherTrace, WhatIsWrittenIsReadAgain) {
  const TemporaryFile file(".shunt");
  write_trace(file.path(), sample_allgathers());
  EXPECT_EQ(read_trace(file.path()), sample_allgathers());
  TraceFile read(file.path());
  EXPECT_EQ(read.blocks(1), (std::vector<Bytes>{0, 300, 5}));
  const auto traffic = make_traffic(file.path() + "#1", {.ranks = 3});
  EXPECT_EQ(sparse_rows(*traffic), sample_allgathers().matrices[1]);
}

TEST(AllgatherTrace, IsAAllgatherByItsSpecification) {
  const TemporaryFile file(".shunt");
  write_trace(file.path(), sample_allgathers());
  EXPECT_EQ(read_trace_sources(file.path() + "#1", 3).lengths(), (std::vector<Bytes>{0, 2400, 40}));
  expect_error(ErrorKind::argument, "#0\" is an exchange, but an all-gather is asked for",
               [&] { (void)read_trace_sources(file.path() + "#0", 3); });
  expect_error(ErrorKind::argument, "has 3 ranks, but 4 are asked for",
               [&] { (void)read_trace_sources(file.path() + "#1", 4); });
  expect_error(ErrorKind::argument, "has 2 matrices, but number 2 is asked for",
               [&] { (void)read_trace_sources(file.path() + "#2", 3); });
}

TEST(AllgatherTrace, TheBytesAreTheOnesOfTheFormat) {
  const TemporaryFile file(".shunt");
  write_trace(file.path(), sample_allgathers());
  EXPECT_EQ(content_of(file.path()),
            R"({"format":"shunt-trace","version":2,"ranks":3,"element_bytes":8,)"
            R"("matrices":[{"bytes":8},{"bytes":4,"allgather":true}],)"
            R"("calls":[{"matrix":1,"repeats":4,"seconds":0.5,"function":"MPI_Allgatherv"},)"
            R"({"matrix":0,"repeats":1,"seconds":0.0}]})"
            "\n\x01\0\x01\0\x01\x01\x80\x01\0\xAC\x02\x05"s);
}

TEST(AllgatherTrace, HasTheShapeOfItsMatrix) {
  const std::vector<std::vector<Bytes>> cases{{0, 0}, {7, 0, 0, 9}, {1, 1, 1}, {0, 1000, 3, 0, 0}};
  for (const std::vector<Bytes>& blocks : cases) {
    Trace trace = empty_trace(static_cast<Rank>(blocks.size()), 8);
    trace.allgathers = {0};
    std::vector<SparseRow> rows(blocks.size());
    for (std::size_t source = 0; source < blocks.size(); ++source) {
      if (blocks[source] == 0) continue;
      for (Rank to = 0; to < trace.ranks; ++to) rows[source].push_back({to, blocks[source]});
    }
    trace.matrices = {rows};
    const TemporaryFile file(".shunt");
    write_trace(file.path(), trace);
    TraceFile read(file.path());
    const MatrixShape shape = shape_of(read, 0);
    const MatrixShape expected = shape_of(rows, 8);
    EXPECT_EQ(shape.bytes, expected.bytes);
    EXPECT_EQ(shape.longest_block, expected.longest_block);
    EXPECT_DOUBLE_EQ(shape.filled, expected.filled);
    EXPECT_DOUBLE_EQ(shape.imbalance, expected.imbalance);
  }
}

TEST(AllgatherTrace, OfTooManyBytesIsRefused) {
  const auto shape_of_two = [](Bytes length, Bytes element) {
    Trace trace = empty_trace(2, element);
    trace.allgathers = {0};
    trace.matrices = {{{{0, length}, {1, length}}, {}}};
    const TemporaryFile file(".shunt");
    write_trace(file.path(), trace);
    TraceFile read(file.path());
    return shape_of(read, 0).bytes;
  };
  EXPECT_EQ(shape_of_two(INT64_MAX / 2, 1), INT64_MAX - 1);
  expect_error(ErrorKind::count, "exceed 64 bits", [&] { (void)shape_of_two(INT64_MAX, 1); });
  expect_error(ErrorKind::count, "exceed 64 bits", [&] { (void)shape_of_two(INT64_MAX / 4, 5); });
}

/// A short file that would be a matrix of 10^10 blocks.
TEST(AllgatherTrace, AmongManyRanksIsNoMatrix) {
  const std::string ranks = "100000";
  const TemporaryFile file(".shunt",
                           allgather_header(ranks, R"([{"bytes":100000,"allgather":true}])") +
                               std::string(100000, '\1'));
  TraceFile read(file.path());
  EXPECT_EQ(shape_of(read, 0).bytes, 10'000'000'000);
  expect_error(ErrorKind::file, "an all-gather from 100000 of 100000 ranks is too large a matrix",
               [&] { (void)read.matrix(0); });
}

TEST(AllgatherTrace, ThatIsDamagedIsRefused) {
  refuse_trace(allgather_header("2", R"([{"bytes":2,"allgather":1}])") + "\1\1",
               "\"allgather\" must be true or false");
  refuse_trace(allgather_header("2", R"([{"bytes":2,"allgather":true}])") + "\x81\x81",
               "an all-gather has a wrong length of a block, or ends early");
  refuse_trace(allgather_header("2", R"([{"bytes":3,"allgather":true}])") + "\1\1\1",
               "an all-gather goes on after its last block");
}

TEST(AllgatherTrace, ThatContradictsItselfIsNotWritten) {
  const TemporaryFile file(".shunt");
  const auto refuse_to_write = [&](auto change, const char* words) {
    Trace trace = sample_allgathers();
    change(trace);
    expect_error(ErrorKind::argument, words, [&] { write_trace(file.path(), trace); });
  };
  refuse_to_write([](Trace& t) { t.allgathers = {2}; },
                  "an all-gather must be one of the matrices");
  refuse_to_write([](Trace& t) { t.allgathers = {0, 1}; }, "the same count for all ranks");
  refuse_to_write([](Trace& t) { t.matrices[1][1][2].count = 301; },
                  "the same count for all ranks");
}

}  // namespace
}  // namespace shunt
