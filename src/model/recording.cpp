#include "model/recording.hpp"

#include <algorithm>
#include <cstring>

#include "model/hash.hpp"

namespace shunt {

namespace {

std::uint64_t hash_of(std::uint64_t seed, std::string_view bytes) {
  std::uint64_t state = hash(seed, bytes.size());
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
    state = hash(state, word);
  }
  return state;
}

}  // namespace

MatrixKey key_of_row(Rank rank, std::string_view code, RowKind kind) {
  const std::uint64_t seed =
      4 * static_cast<std::uint64_t>(rank) + (kind == RowKind::allgather ? 2 : 0);
  return {hash_of(seed, code), hash_of(seed + 1, code)};
}

bool RecordingMemory::take(Bytes bytes) {
  if (bytes > left_) return false;
  left_ -= bytes;
  return true;
}

std::optional<std::uint32_t> Recording::keep(std::string_view function, std::string_view code,
                                             RowKind kind) {
  // Two copies of the bytes, and what the containers need beside them.
  constexpr std::size_t kOverhead = 192;
  std::string name(function);
  name.append(1, '\0').append(1, kind == RowKind::allgather ? 'b' : 'e').append(code);
  if (const auto found = known_.find(name); found != known_.end()) return found->second;
  if (!memory_.take(static_cast<Bytes>(2 * name.size() + kOverhead))) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(rows_.size());
  rows_.push_back({std::string(function), std::string(code), kind});
  known_.emplace(std::move(name), number);
  return number;
}

std::optional<std::size_t> Recording::begin(std::optional<std::uint32_t> row) {
  if (!row || !memory_.take(sizeof(Call))) ended_ = true;
  if (ended_) return std::nullopt;
  calls_.push_back({*row, 0});
  return calls_.size() - 1;
}

void Recording::spend(std::size_t call, double seconds) {
  if (!failed(call)) calls_[call].seconds += static_cast<float>(seconds);
}

void Recording::fail(std::size_t call) { calls_[call].seconds = -1; }

float Recording::seconds(std::size_t call) const { return std::max(calls_[call].seconds, 0.0F); }

void TraceBuilder::add(const MatrixKey& matrix, std::string_view function, double slowest,
                       double fastest) {
  const auto [found, is_new] = known_.emplace(matrix, known_.size());
  if (is_new) first_calls_.push_back(number_);
  ++number_;
  const TraceCall call{found->second, 1, slowest, fastest, std::string(function)};
  const auto first = first_runs_.find({call.matrix, call.function});
  if (calls_.size() < most_runs_ || first == first_runs_.end()) {
    append_call(calls_, call);
    first_runs_.emplace(std::pair(call.matrix, call.function), calls_.size() - 1);
    return;
  }
  TraceCall& run = calls_[first->second];
  ++run.repeats;
  run.seconds += slowest;
  run.fastest += fastest;
}

void TraceBuilder::cut(std::size_t matrices) {
  const auto beyond = [=](const TraceCall& call) { return call.matrix >= matrices; };
  calls_.erase(std::ranges::find_if(calls_, beyond), calls_.end());
  first_calls_.resize(std::min(first_calls_.size(), matrices));
}

}  // namespace shunt
