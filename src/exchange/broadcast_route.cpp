#include "exchange/broadcast_route.hpp"

#include <algorithm>
#include <utility>

namespace shunt {

namespace {

class RouteMaker {
 public:
  RouteMaker(const Broadcast& broadcast, Rank rank, const std::vector<Bytes>& offsets)
      : broadcast_(broadcast), rank_(rank), offsets_(offsets) {}

  RouteStage make_stage(int stage, const Machine* machine) {
    RouteStage made;
    for (const Step& step : broadcast_.steps(stage, rank_)) {
      RouteStep& added = made.steps.emplace_back();
      if (step.to != kNoRank) {
        added.out = message(stage, rank_, step.to);
        if (added.out.is_packed()) made.packed_out += added.out.bytes;
      }
      if (step.from != kNoRank) {
        added.in = message(stage, step.from, rank_);
        if (added.in.is_packed()) made.packed_in += added.in.bytes;
      }
    }
    if (machine != nullptr) {
      made.turns = port_turns(
          *machine, rank_, [&](Rank mate) { return broadcast_.steps(stage, mate); }, 1);
    }
    return made;
  }

 private:
  RouteMessage message(int stage, Rank from, Rank to) {
    shares_.clear();
    broadcast_.shares(stage, from, to, shares_);
    // In the first stage a rank holds its own block alone, and sends it from where it is.
    const bool own = stage == 0 && from == rank_;
    RouteMessage made;
    made.peer = from == rank_ ? to : from;
    for (const Share& share : shares_) {
      const Bytes block = own ? 0 : offsets_[static_cast<std::size_t>(share.source)];
      append(made.pieces, {block + share.begin, share.end - share.begin});
      made.bytes += share.end - share.begin;
    }
    if (made.pieces.size() > 1 && made.bytes > kLongestPacked) {
      made.type = RunsType(made.pieces);
    }
    return made;
  }

  /// Blocks that lie side by side are one piece.
  static void append(std::vector<Run>& pieces, const Run& piece) {
    if (!pieces.empty() && pieces.back().offset + pieces.back().length == piece.offset) {
      pieces.back().length += piece.length;
    } else {
      pieces.push_back(piece);
    }
  }

  const Broadcast& broadcast_;
  Rank rank_;
  const std::vector<Bytes>& offsets_;
  std::vector<Share> shares_;
};

}  // namespace

BroadcastRoute make_route(std::unique_ptr<const Broadcast> broadcast, Rank rank,
                          const std::vector<Bytes>& offsets, bool blocking) {
  BroadcastRoute route{std::move(broadcast), {}};
  RouteMaker maker(*route.broadcast, rank, offsets);
  const Machine* const machine = blocking ? route.broadcast->spares_ports_of() : nullptr;
  for (int stage = 0; stage < route.broadcast->stages(); ++stage) {
    route.stages.push_back(maker.make_stage(stage, machine));
  }
  if (route.stages.empty()) route.stages.emplace_back();
  return route;
}

Counters count_messages(const BroadcastRoute& route) {
  Counters counters;
  for (const RouteStage& stage : route.stages) {
    StageCounters& counted = counters.stages.emplace_back();
    for (const auto& [out, in] : stage.steps) {
      if (out.bytes > 0) ++counted.messages_sent;
      if (in.bytes > 0) ++counted.messages_received;
      counted.longest_received = std::max(counted.longest_received, in.bytes);
      counted.received += in.bytes;
    }
    counters.peak_send_buffer = std::max(counters.peak_send_buffer, stage.packed_out);
    counters.peak_receive_buffer = std::max(counters.peak_receive_buffer, stage.packed_in);
  }
  return counters;
}

}  // namespace shunt
