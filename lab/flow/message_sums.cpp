#include "lab/flow/message_sums.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt {

namespace {

/// Steps of a stage that are looked through: about a minute.
constexpr std::int64_t kMostSummedSteps = 10'000'000'000;

}  // namespace

MessageSums::MessageSums(const Algorithm& algorithm, std::size_t most_pieces)
    : algorithm_(algorithm), most_pieces_(most_pieces), of_target_(index_of(algorithm.ranks())) {}

void MessageSums::add(Rank from, Rank to, Bytes bytes) {
  if (parts_.size() == most_pieces_) {
    throw Error(ErrorKind::argument,
                fmt::format("a stage of {} on {} ranks has more than {} pieces of blocks, too many "
                            "to follow each",
                            algorithm_.name(), algorithm_.ranks(), most_pieces_));
  }
  parts_.push_back({from, to, bytes});
}

const std::vector<StageMessage>& MessageSums::sum_up(int stage) {
  sort_by_sender();
  messages_.clear();
  std::int64_t senders = 0;
  for (Rank from = 0; from < algorithm_.ranks(); ++from) {
    if (first_[index_of(from)] < first_[index_of(from) + 1]) ++senders;
  }
  if (senders * algorithm_.step_count(stage) > kMostSummedSteps) {
    throw Error(
        ErrorKind::argument,
        fmt::format("in a stage of {}, {} ranks have {} steps each, together more than the "
                    "{} that can be looked through",
                    algorithm_.name(), senders, algorithm_.step_count(stage), kMostSummedSteps));
  }
  for (Rank from = 0; from < algorithm_.ranks(); ++from) {
    const std::size_t begin = first_[index_of(from)];
    const std::size_t end = first_[index_of(from) + 1];
    if (begin < end) sum_up_sender(stage, std::span(by_sender_).subspan(begin, end - begin));
  }
  parts_.clear();
  std::ranges::sort(messages_, [](const StageMessage& a, const StageMessage& b) {
    return std::tie(a.step, a.from) < std::tie(b.step, b.from);
  });
  return messages_;
}

void MessageSums::sort_by_sender() {
  first_.assign(index_of(algorithm_.ranks()) + 1, 0);
  for (const Part& part : parts_) ++first_[index_of(part.from) + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  by_sender_.resize(parts_.size());
  for (const Part& part : parts_) by_sender_[first_[index_of(part.from)]++] = part;
  // Each now has the end of its sender's parts, which is where the next sender's begin.
  std::shift_right(first_.begin(), first_.end(), 1);
  first_.front() = 0;
}

void MessageSums::sum_up_sender(int stage, std::span<const Part> parts) {
  std::size_t targets = 0;
  for (const Part& part : parts) {
    StageMessage& message = of_target_[index_of(part.to)];
    if (message.pieces == 0) ++targets;
    message.bytes += part.bytes;
    ++message.pieces;
  }
  const Rank from = parts.front().from;
  for (const Step& step : algorithm_.steps(stage, from)) {
    if (step.to == kNoRank) continue;
    StageMessage& message = of_target_[index_of(step.to)];
    if (message.pieces == 0) continue;
    messages_.push_back({step.number, from, step.to, message.bytes, message.pieces});
    message = {};
    --targets;
  }
  if (targets > 0) {
    throw Error(ErrorKind::internal,
                fmt::format("rank {} hands data to a rank to which it does not send", from));
  }
}

}  // namespace shunt
