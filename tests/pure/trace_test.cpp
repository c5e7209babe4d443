#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lab/traffic/patterns.hpp"
#include "lab/traffic/trace_file.hpp"
#include "lab/traffic/traffic_sparse.hpp"
#include "lab/traffic/varint.hpp"
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

Trace sample() {
  Trace trace = empty_trace(3, 8);
  trace.matrices = {{{{0, 1}, {2, INT64_MAX}}, {}, {{1, 128}}}, {{}, {}, {}}};
  trace.calls = {{0, 10, 0.5, 0, ""}, {1, 1, 0, 0, ""}, {0, 1, 0, 0, ""}};
  return trace;
}

/// With all that may be left out.
Trace rich_sample() {
  Trace trace = sample();
  trace.calls[0] = {0, 10, 0.5, 0.25, "MPI_Alltoallv"};
  trace.communicator = "rows";
  trace.world_ranks = {4, 0, 2};
  trace.complete = false;
  return trace;
}

std::string header(const std::string& ranks, const std::string& matrices,
                   const std::string& calls = "[]") {
  return R"({"format":"shunt-trace","version":1,"ranks":)" + ranks +
         R"(,"element_bytes":1,"matrices":)" + matrices + R"(,"calls":)" + calls + "}\n";
}

/// A file of one matrix of 2 ranks with these bytes.
void refuse_body(const std::string& bytes, const std::string& words) {
  refuse_trace(header("2", "[{\"bytes\":" + std::to_string(bytes.size()) + "}]") + bytes, words);
}

TEST(Trace, WhatIsWrittenIsReadAgain) {
  const TemporaryFile file(".shunt");
  write_trace(file.path(), sample());
  EXPECT_EQ(read_trace(file.path()), sample());
  write_trace(file.path(), rich_sample());
  EXPECT_EQ(read_trace(file.path()), rich_sample());
  write_trace(file.path(), empty_trace(5, 1));
  EXPECT_EQ(read_trace(file.path()), empty_trace(5, 1));
}

TEST(Trace, TheBytesAreTheOnesOfTheFormat) {
  const TemporaryFile file(".shunt");
  Trace trace = sample();
  trace.matrices[0][0][1].count = 300;
  write_trace(file.path(), trace);
  EXPECT_EQ(content_of(file.path()),
            R"({"format":"shunt-trace","version":1,"ranks":3,"element_bytes":8,)"
            R"("matrices":[{"bytes":11},{"bytes":3}],)"
            R"("calls":[{"matrix":0,"repeats":10,"seconds":0.5},)"
            R"({"matrix":1,"repeats":1,"seconds":0.0},{"matrix":0,"repeats":1,"seconds":0.0}]})"
            "\n\x02\0\x01\x01\xAC\x02\0\x01\x01\x80\x01\0\0\0"s);
}

TEST(Trace, EveryPatternSurvives) {
  for (const TrafficPattern& pattern : traffic_patterns()) {
    const auto traffic = make_traffic(pattern.name, {.ranks = 13, .maximum = 100000});
    Trace trace = empty_trace(13, 4);
    record(trace, sparse_rows(*traffic), 0);
    const TemporaryFile file(".shunt");
    write_trace(file.path(), trace);
    EXPECT_EQ(read_trace(file.path()), trace) << pattern.name;
    const auto again = make_traffic(file.path(), {.ranks = 13});
    EXPECT_EQ(again->name(), file.path());
    EXPECT_EQ(sparse_rows(*again), sparse_rows(*traffic)) << pattern.name;
  }
}

TEST(Trace, RecordingKeepsEqualMatricesOnce) {
  const std::vector<SparseRow> a{{{0, 1}}, {}};
  const std::vector<SparseRow> b{{{0, 2}}, {}};
  Trace trace = empty_trace(2, 1);
  for (const auto& matrix : {a, a, b, a}) record(trace, matrix, 0.25);
  EXPECT_EQ(trace.matrices, (std::vector{a, b}));
  EXPECT_EQ(trace.calls,
            (std::vector<TraceCall>{{0, 2, 0.5, 0, ""}, {1, 1, 0.25, 0, ""}, {0, 1, 0.25, 0, ""}}));
}

TEST(Trace, CallsOfTwoFunctionsAreTwoRuns) {
  std::vector<TraceCall> calls;
  for (const char* function : {"a", "a", "b", "a"}) append_call(calls, {7, 1, 2, 1, function});
  EXPECT_EQ(calls,
            (std::vector<TraceCall>{{7, 2, 4, 2, "a"}, {7, 1, 2, 1, "b"}, {7, 1, 2, 1, "a"}}));
}

TEST(Trace, AMatrixIsTheCodesOfItsRows) {
  const TemporaryFile whole(".shunt");
  const TemporaryFile parts(".shunt");
  write_trace(whole.path(), rich_sample());
  Trace head = rich_sample();
  head.matrices.clear();
  std::vector<std::string> codes;
  for (const auto& matrix : rich_sample().matrices) {
    codes.emplace_back();
    for (const SparseRow& row : matrix) codes.back() += row_code(row);
  }
  write_trace(parts.path(), head, codes);
  EXPECT_EQ(content_of(parts.path()), content_of(whole.path()));
}

TEST(Trace, ANameThatIsNoTextIsWrittenAsFarAsItIs) {
  const TemporaryFile file(".shunt");
  Trace trace = sample();
  trace.communicator = "row\xFFs";
  write_trace(file.path(), trace);
  EXPECT_EQ(read_trace(file.path()).communicator, "row\xEF\xBF\xBDs");
}

TEST(Trace, AHeaderThatCannotBeReadIsNotWritten) {
  const TemporaryFile file(".shunt");
  Trace trace = sample();
  trace.communicator = std::string(std::size_t{17} << 20, 'x');
  expect_error(ErrorKind::file, "the first line would have",
               [&] { write_trace(file.path(), trace); });
}

TEST(Trace, ANumberAfterTheHashChoosesAMatrix) {
  const TemporaryFile file(".shunt");
  write_trace(file.path(), sample());
  const auto of = [&](const std::string& suffix, Rank ranks = 3) {
    return make_traffic(file.path() + suffix, TrafficShape{.ranks = ranks});
  };
  EXPECT_EQ(sparse_rows(*of("")), sample().matrices[0]);
  EXPECT_EQ(sparse_rows(*of("#0")), sample().matrices[0]);
  EXPECT_EQ(sparse_rows(*of("#1")), sample().matrices[1]);
  EXPECT_EQ(of("#1")->name(), file.path() + "#1");
  for (const char* suffix : {"#", "#x", "#-1", "#1x"}) {
    expect_error(ErrorKind::argument, "number of a matrix", [&] { (void)of(suffix); });
  }
  expect_error(ErrorKind::argument, "has 2 matrices, but number 2", [&] { (void)of("#2"); });
  expect_error(ErrorKind::argument, "has 3 ranks, but 4", [&] { (void)of("", 4); });
}

TEST(Trace, WithoutMatricesTheLastLineFeedMayBeMissing) {
  const TemporaryFile file(".shunt", R"({"format":"shunt-trace","version":1,"ranks":2,)"
                                     R"("element_bytes":1,"matrices":[],"calls":[]})");
  EXPECT_EQ(read_trace(file.path()).ranks, 2);
}

TEST(Trace, BadHeaders) {
  refuse_trace("", "empty");
  refuse_trace("\n", "must be a JSON object");
  refuse_trace("not JSON\n", "must be a JSON object");
  refuse_trace("[1]\n", "must be a JSON object");
  refuse_trace("{\"format\":\"shunt-trace\"", "must be a JSON object");
  refuse_trace("{\"format\":7}\n", "must be a JSON object");
  refuse_trace("{\"format\":\"other\"}\n", "must be a JSON object");
  refuse_trace(R"({"format":"shunt-trace","version":3})",
               "\"version\" must be a whole number from 1 to 2");
  refuse_trace(R"({"format":"shunt-trace"})", "\"version\"");
  refuse_trace(R"({"format":"shunt-trace","version":1,"ranks":2})", "\"element_bytes\"");
  refuse_trace(R"({"format":"shunt-trace","version":1,"ranks":2,"element_bytes":0})",
               "\"element_bytes\"");
  for (const char* ranks :
       {"0", "-1", "2147483648", "18446744073709551615", "1e99", "2.0", "\"2\"", "null", "[]"}) {
    refuse_trace(header(ranks, "[]"), "\"ranks\" must be");
  }
  refuse_trace(std::string(100, '[') + "\n", "must be a JSON object");
  refuse_trace(std::string(17 << 20, ' '), "exceeds");
}

TEST(Trace, BadListsOfMatrices) {
  refuse_trace(header("2", "7"), "\"matrices\" must be a list");
  refuse_trace(header("2", "[7]"), "\"matrices\" must be a list");
  refuse_trace(header("2", "[{}]"), "\"bytes\" must be");
  refuse_trace(header("2", "[{\"bytes\":-2}]"), "\"bytes\" must be");
  refuse_trace(header("2", "[{\"bytes\":2}]") + "\0"s, "ends before its last matrix");
  refuse_trace(header("2", "[{\"bytes\":2}]") + "\0\0\0"s, "goes on after its last matrix");
  refuse_trace(header("1", "[{\"bytes\":9223372036854775807},{\"bytes\":9223372036854775807}]"),
               "ends before its last matrix");
}

TEST(Trace, AnAbsurdNumberOfRanksIsFoundBeforeItCostsMemory) {
  refuse_trace(header("2147483647", "[{\"bytes\":2}]") + "\0\0"s,
               "\"bytes\" must be a whole number from 2147483647");
  refuse_trace(header("2147483647", "[{\"bytes\":2147483647}]") + "\0\0"s, "ends before");
}

TEST(Trace, BadCalls) {
  const auto refuse_calls = [](const std::string& calls, const std::string& words) {
    refuse_trace(header("1", "[{\"bytes\":1}]", calls) + "\0"s, words);
  };
  refuse_calls("{}", "\"calls\" must be a list");
  refuse_calls("[0]", "\"calls\" must be a list");
  refuse_calls(R"([{"matrix":1,"repeats":1}])", "\"matrix\" must be a whole number from 0 to 0");
  refuse_calls(R"([{"matrix":-1,"repeats":1}])", "\"matrix\"");
  refuse_calls(R"([{"repeats":1}])", "\"matrix\"");
  refuse_calls(R"([{"matrix":0,"repeats":0}])", "\"repeats\"");
  refuse_calls(R"([{"matrix":0}])", "\"repeats\"");
  refuse_calls(R"([{"matrix":0,"repeats":1,"seconds":-1}])", "\"seconds\"");
  refuse_calls(R"([{"matrix":0,"repeats":1,"seconds":"x"}])", "\"seconds\"");
  refuse_calls(R"([{"matrix":0,"repeats":1,"fastest":-1}])", "\"fastest\"");
  refuse_calls(R"([{"matrix":0,"repeats":1,"function":7}])", "\"function\" must be a text");
  const std::string many = R"({"matrix":0,"repeats":9223372036854775807})";
  refuse_calls("[" + many + "," + many + "]", "\"repeats\" do not add up to a number of 63 bits");
}

TEST(Trace, BadKeysThatMayBeLeftOut) {
  const auto refuse_key = [](const std::string& key, const std::string& words) {
    refuse_trace(R"({"format":"shunt-trace","version":1,"ranks":2,"element_bytes":1,)" + key +
                     R"(,"matrices":[],"calls":[]})",
                 words);
  };
  for (const char* ranks : {"7", "[0]", "[0,1,2]", "[0,0]", "[-1,0]", "[0,2147483648]",
                            "[0,18446744073709551615]", "[0,0.5]", "[0,\"1\"]", "{}", "null"}) {
    refuse_key("\"world_ranks\":"s + ranks, "must be a list of 2 different ranks");
  }
  refuse_key(R"("communicator":[])", "\"communicator\" must be a text");
  refuse_key(R"("complete":1)", "\"complete\" must be true or false");
}

TEST(Trace, BadMatrices) {
  refuse_body("\x03\0"s, "wrong number of blocks");
  refuse_body("\x01\0"s, "wrong count, or ends early");
  refuse_body("\x01\0\0\0"s, "wrong count");
  refuse_body("\x01\x02\x01\0"s, "wrong gap");
  refuse_body("\x02\x01\x01\0\x01\0"s, "wrong gap");
  refuse_body("\x01\0\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01\0"s, "wrong count");
  refuse_body("\xFF\xFF"s, "wrong number of blocks");
  refuse_body("\0\0\0"s, "goes on after its last row");
}

TEST(Trace, NoTruncationOfAGoodFileIsReadAsGood) {
  const TemporaryFile good(".shunt");
  write_trace(good.path(), sample());
  const std::string content = content_of(good.path());
  for (std::size_t length = 0; length < content.size(); ++length) {
    refuse_trace(content.substr(0, length), "");
  }
}

TEST(Trace, NoChangedByteCrashes) {
  const TemporaryFile good(".shunt");
  write_trace(good.path(), rich_sample());
  const std::string content = content_of(good.path());
  for (std::size_t at = 0; at < content.size(); ++at) {
    for (const char change : {'\x01', '\x10', '\x80', '\xFF'}) {
      std::string broken = content;
      broken[at] = static_cast<char>(broken[at] ^ change);
      const TemporaryFile file(".shunt", broken);
      try {
        (void)read_trace(file.path());
      } catch (const Error& error) {
        EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(ErrorKind::file));
      }
    }
  }
}

TEST(Trace, ATraceThatContradictsItselfIsNotWritten) {
  const TemporaryFile file(".shunt");
  const auto refuse_to_write = [&](auto change, const char* words) {
    Trace trace = sample();
    change(trace);
    expect_error(ErrorKind::argument, words, [&] { write_trace(file.path(), trace); });
  };
  refuse_to_write([](Trace& t) { t.ranks = 4; }, "a row for each rank");
  refuse_to_write([](Trace& t) { t = empty_trace(0, 1); }, "number of ranks");
  refuse_to_write([](Trace& t) { t.element_bytes = 0; }, "bytes of an element");
  refuse_to_write([](Trace& t) { t.matrices[0][0][0].count = 0; }, "must not be empty");
  refuse_to_write([](Trace& t) { t.matrices[0][0][0].count = -1; }, "must not be empty");
  refuse_to_write([](Trace& t) { t.matrices[0][0][1].destination = 0; }, "must ascend");
  refuse_to_write([](Trace& t) { t.matrices[0][0][1].destination = 3; }, "to rank 3");
  refuse_to_write([](Trace& t) { t.calls[0].matrix = 2; }, "one of the matrices");
  refuse_to_write([](Trace& t) { t.calls[0].repeats = 0; }, "once or more");
  refuse_to_write([](Trace& t) { t.calls[0].seconds = -1; }, "seconds");
  refuse_to_write([](Trace& t) { t.calls[0].fastest = -1; }, "seconds");
  refuse_to_write([](Trace& t) { t.world_ranks = {0, 1}; }, "one rank in the world");
  expect_error(ErrorKind::file, "cannot be written", [] { write_trace("/no/such/x", sample()); });
}

TEST(Varint, RoundTripAtEveryLength) {
  for (int bits = 0; bits < 63; ++bits) {
    for (const std::int64_t value : {(std::int64_t{1} << bits) - 1, std::int64_t{1} << bits}) {
      const std::string bytes = block_code(value);
      std::string_view rest = bytes;
      EXPECT_EQ(take_varint(rest), value);
      EXPECT_TRUE(rest.empty());
    }
  }
}

}  // namespace
}  // namespace shunt
