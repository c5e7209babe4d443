#include "lab/flow/flow.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "lab/flow/carried.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// The messages of one stage while they are being summed up.
class StageSums {
 public:
  StageSums(const Algorithm& algorithm, int stage) {
    const auto ranks = static_cast<std::size_t>(algorithm.ranks());
    first_.reserve(ranks + 1);
    for (Rank rank = 0; rank < algorithm.ranks(); ++rank) {
      first_.push_back(messages_.size());
      for (const Step& step : algorithm.steps(stage, rank)) {
        if (step.to != kNoRank) messages_.push_back({step.number, rank, step.to, 0});
      }
      std::sort(begin_of(rank), messages_.end(), by_target);
    }
    first_.push_back(messages_.size());
  }

  void add(Rank from, const Piece& piece) {
    const auto end = messages_.begin() + static_cast<std::ptrdiff_t>(first_[index_of(from) + 1]);
    const auto place =
        std::lower_bound(begin_of(from), end, FlowMessage{0, from, piece.to, 0}, by_target);
    if (place == end || place->to != piece.to) {
      throw Error(ErrorKind::internal,
                  fmt::format("rank {} hands data to rank {}, to which it does "
                              "not send",
                              from, piece.to));
    }
    place->bytes += piece.end - piece.begin;
  }

  StageFlow finish(Rank ranks) {
    StageFlow flow;
    flow.load.assign(static_cast<std::size_t>(ranks), 0);
    flow.longest_message.assign(static_cast<std::size_t>(ranks), 0);
    for (const FlowMessage& message : messages_) {
      flow.load[index_of(message.to)] += message.bytes;
      Bytes& longest = flow.longest_message[index_of(message.to)];
      longest = std::max(longest, message.bytes);
    }
    for (Rank rank = 0; rank < ranks; ++rank) {
      std::sort(begin_of(rank),
                messages_.begin() + static_cast<std::ptrdiff_t>(first_[index_of(rank) + 1]),
                [](const FlowMessage& a, const FlowMessage& b) { return a.step < b.step; });
    }
    flow.messages = std::move(messages_);
    return flow;
  }

 private:
  static bool by_target(const FlowMessage& a, const FlowMessage& b) { return a.to < b.to; }

  std::vector<FlowMessage>::iterator begin_of(Rank rank) {
    return messages_.begin() + static_cast<std::ptrdiff_t>(first_[index_of(rank)]);
  }

  std::vector<FlowMessage> messages_;
  std::vector<std::size_t> first_;  ///< by rank: its first message
};

}  // namespace

Bytes StageFlow::largest_load() const { return *std::ranges::max_element(load); }

Bytes StageFlow::longest() const { return *std::ranges::max_element(longest_message); }

double StageFlow::seconds(const LinkCost& cost, int step_count) const {
  std::vector<Bytes> longest_of_step(static_cast<std::size_t>(step_count), 0);
  for (const FlowMessage& message : messages) {
    Bytes& longest = longest_of_step[static_cast<std::size_t>(message.step - 1)];
    longest = std::max(longest, message.bytes);
  }
  double sum = 0;
  for (const Bytes bytes : longest_of_step) {
    sum += cost.start_up + static_cast<double>(bytes) * cost.per_byte;
  }
  return sum + static_cast<double>(largest_load()) * cost.copy;
}

std::vector<StageFlow> follow_traffic(const Algorithm& algorithm, const Traffic& traffic,
                                      Bytes element, const StreamWatch& watch) {
  const Rank ranks = algorithm.ranks();
  std::vector<StageSums> sums;
  for (int stage = 0; stage < algorithm.stages(); ++stage) sums.emplace_back(algorithm, stage);

  std::vector<Bytes> held(static_cast<std::size_t>(ranks));
  std::vector<Bytes> next(static_cast<std::size_t>(ranks));
  std::vector<Piece> pieces;
  for (Rank destination = 0; destination < ranks; ++destination) {
    traffic.column(destination, held);
    for (Rank source = 0; source < ranks; ++source) {
      Bytes& bytes = held[static_cast<std::size_t>(source)];
      if (bytes > 0) expect_supported(algorithm, traffic, source, destination);
      bytes *= element;
    }
    if (watch) watch(0, destination, held);
    for (int stage = 0; stage < algorithm.stages(); ++stage) {
      std::ranges::fill(next, 0);
      for (Rank rank = 0; rank < ranks; ++rank) {
        pieces.clear();
        algorithm.route(stage, rank, destination, held[static_cast<std::size_t>(rank)], pieces);
        for (const Piece& piece : pieces) {
          sums[static_cast<std::size_t>(stage)].add(rank, piece);
          next[static_cast<std::size_t>(piece.to)] += piece.end - piece.begin;
        }
      }
      std::swap(held, next);
      if (watch) watch(stage + 1, destination, held);
    }
  }

  std::vector<StageFlow> flows;
  for (StageSums& stage : sums) flows.push_back(stage.finish(ranks));
  return flows;
}

}  // namespace shunt
