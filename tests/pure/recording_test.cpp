#include "model/recording.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lab/traffic/trace_file.hpp"

namespace shunt {
namespace {

/// Ranks that make calls, and the trace that their recordings make. The oracle is Trace::record,
/// which compares whole matrices.
class Program {
 public:
  explicit Program(Rank ranks) : ranks_(ranks), memory_(1 << 20) {
    for (Rank rank = 0; rank < ranks; ++rank) recordings_.emplace_back(memory_);
    expected_.ranks = ranks;
  }

  void call(const std::vector<SparseRow>& matrix, const std::vector<double>& seconds) {
    for (std::size_t rank = 0; rank < recordings_.size(); ++rank) {
      const auto made =
          recordings_[rank].begin(recordings_[rank].keep("f", row_code(matrix[rank])));
      recordings_[rank].spend(made.value(), seconds[rank]);
    }
    record(expected_, matrix, *std::ranges::max_element(seconds));
    expected_.calls.back().fastest += *std::ranges::min_element(seconds);
  }

  /// As the ranks do it together by reductions.
  [[nodiscard]] TraceBuilder gathered() const {
    TraceBuilder builder;
    for (std::size_t call = 0; call < recordings_[0].calls(); ++call) {
      MatrixKey sum{};
      std::vector<float> seconds;
      for (Rank rank = 0; rank < ranks_; ++rank) {
        const Recording& own = recordings_[static_cast<std::size_t>(rank)];
        const MatrixKey key = key_of_row(rank, own.row(call).code);
        for (std::size_t k = 0; k < key.size(); ++k) sum[k] += key[k];
        seconds.push_back(own.seconds(call));
      }
      builder.add(sum, recordings_[0].row(call).function, std::ranges::max(seconds),
                  std::ranges::min(seconds));
    }
    return builder;
  }

  [[nodiscard]] const Trace& expected() const { return expected_; }
  [[nodiscard]] const std::vector<Recording>& recordings() const { return recordings_; }

 private:
  Rank ranks_;
  RecordingMemory memory_;
  std::vector<Recording> recordings_;
  Trace expected_;
};

void expect_same(const Program& program) {
  const TraceBuilder builder = program.gathered();
  std::vector<TraceCall> calls = program.expected().calls;
  for (TraceCall& call : calls) call.function.assign(1, 'f');
  EXPECT_TRUE(builder.calls() == calls);
  ASSERT_EQ(builder.first_calls().size(), program.expected().matrices.size());
  for (std::size_t k = 0; k < builder.first_calls().size(); ++k) {
    for (std::size_t rank = 0; rank < program.recordings().size(); ++rank) {
      const auto call = static_cast<std::size_t>(builder.first_calls()[k]);
      EXPECT_EQ(program.recordings()[rank].row(call).code,
                row_code(program.expected().matrices[k][rank]));
    }
  }
}

TEST(Recording, RanksFindEqualMatricesWithoutSeeingThem) {
  std::mt19937 random(7);
  Program program(3);
  // Few different rows, so that matrices differ in one row, and rows are equal on many ranks.
  const std::vector<SparseRow> rows{{}, {{0, 1}}, {{0, 1}, {2, 300}}, {{1, 300}}};
  for (int call = 0; call < 500; ++call) {
    std::vector<SparseRow> matrix;
    std::vector<double> seconds;
    for (int rank = 0; rank < 3; ++rank) {
      matrix.push_back(rows[random() % rows.size()]);
      seconds.push_back(static_cast<double>(random() % 64));
    }
    for (unsigned repeat = 0; repeat <= random() % 3; ++repeat) program.call(matrix, seconds);
  }
  ASSERT_EQ(program.expected().matrices.size(), 64u);
  expect_same(program);
}

TEST(Recording, RowsThatChangePlacesAreAnotherMatrix) {
  Program program(2);
  program.call({{{0, 1}}, {{1, 1}}}, {1, 2});
  program.call({{{1, 1}}, {{0, 1}}}, {1, 2});
  program.call({{{0, 1}}, {{1, 1}}}, {1, 2});
  ASSERT_EQ(program.expected().matrices.size(), 2u);
  expect_same(program);
}

TEST(Recording, KeysOfRowsDiffer) {
  std::set<MatrixKey> keys;
  for (Rank rank = 0; rank < 50; ++rank) {
    for (Bytes count = 1; count < 200; ++count) {
      keys.insert(key_of_row(rank, row_code({{0, count}})));
      keys.insert(key_of_row(rank, row_code({{1, count}, {2, 1}, {9, count}, {12, 7}})));
    }
  }
  EXPECT_EQ(keys.size(), 50u * 199 * 2);
  std::set<std::uint64_t> halves;
  for (const MatrixKey& key : keys) halves.insert(key.begin(), key.end());
  EXPECT_EQ(halves.size(), 2 * keys.size());
}

/// A rank that sends nothing has the same code in an exchange and in an all-gather.
TEST(Recording, ExchangesAndAllgathersDiffer) {
  EXPECT_EQ(row_code({}), block_code(0));
  EXPECT_NE(key_of_row(3, row_code({})), key_of_row(3, block_code(0), RowKind::allgather));
  RecordingMemory memory(1000);
  Recording recording(memory);
  const auto exchange = recording.begin(recording.keep("f", row_code({})));
  const auto allgather = recording.begin(recording.keep("f", block_code(0), RowKind::allgather));
  EXPECT_EQ(recording.row(exchange.value()).kind, RowKind::exchange);
  EXPECT_EQ(recording.row(allgather.value()).kind, RowKind::allgather);
}

TEST(Recording, EqualRowsTakeMemoryOnce) {
  RecordingMemory memory(1000);
  Recording recording(memory);
  const auto first = recording.keep("f", "abc");
  ASSERT_TRUE(first);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(recording.keep("f", "abc"), first);
  EXPECT_NE(recording.keep("g", "abc"), first);
  EXPECT_NE(recording.keep("f", "abcd"), first);
}

TEST(Recording, EndsWhereTheMemoryDoes) {
  RecordingMemory memory(1000);
  Recording recording(memory);
  const auto row = recording.keep("f", "abc");
  std::size_t calls = 0;
  while (recording.begin(row)) ++calls;
  EXPECT_EQ(recording.calls(), calls);
  EXPECT_GT(calls, 50u);
  EXPECT_LT(calls, 1000u / 8);
  EXPECT_FALSE(recording.complete());
}

TEST(Recording, AfterARowThatDoesNotFitNoCallFollows) {
  RecordingMemory memory(1000);
  Recording recording(memory);
  const auto row = recording.keep("f", "abc");
  ASSERT_TRUE(recording.begin(row));
  EXPECT_FALSE(recording.keep("f", std::string(2000, 'x')));
  EXPECT_FALSE(recording.begin(std::nullopt));
  // There is memory for this one, but it would be taken for the call before it.
  EXPECT_FALSE(recording.begin(row));
  EXPECT_EQ(recording.calls(), 1u);
  EXPECT_FALSE(recording.complete());
}

TEST(Recording, TimeAddsUpUnlessTheCallFails) {
  RecordingMemory memory(1000);
  Recording recording(memory);
  const auto call = recording.begin(recording.keep("f", "")).value();
  recording.spend(call, 0.5);
  recording.spend(call, 0.25);
  EXPECT_EQ(recording.seconds(call), 0.75F);
  EXPECT_FALSE(recording.failed(call));
  recording.fail(call);
  recording.spend(call, 0.25);
  EXPECT_TRUE(recording.failed(call));
  EXPECT_EQ(recording.seconds(call), 0);
}

TEST(TraceBuilder, CallsThatFailedAreLeftOutAndCounted) {
  TraceBuilder builder;
  builder.skip();
  builder.add({1, 1}, "f", 2, 1);
  builder.skip();
  builder.add({2, 1}, "f", 2, 1);
  EXPECT_EQ(builder.first_calls(), (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(builder.calls(), (std::vector<TraceCall>{{0, 1, 2, 1, "f"}, {1, 1, 2, 1, "f"}}));
}

TEST(TraceBuilder, PastTheMostRunsSumsStayRight) {
  TraceBuilder builder(3);
  for (int i = 0; i < 10; ++i) {
    builder.add({1, 0}, "f", 2, 1);
    builder.add({2, 0}, "f", 4, 3);
  }
  builder.add({2, 0}, "g", 1, 1);
  EXPECT_EQ(builder.calls(),
            (std::vector<TraceCall>{
                {0, 9, 18, 9, "f"}, {1, 10, 40, 30, "f"}, {0, 1, 2, 1, "f"}, {1, 1, 1, 1, "g"}}));
}

TEST(TraceBuilder, ACutEndsBeforeTheFirstMatrixThatIsGone) {
  TraceBuilder builder;
  for (const unsigned matrix : {1u, 2u, 1u, 3u, 1u}) builder.add({matrix, 0}, "f", 1, 1);
  builder.cut(3);
  EXPECT_EQ(builder.calls().size(), 5u);
  builder.cut(2);
  EXPECT_EQ(builder.calls().size(), 3u);
  EXPECT_EQ(builder.first_calls(), (std::vector<std::int64_t>{0, 1}));
}

}  // namespace
}  // namespace shunt
