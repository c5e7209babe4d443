#include "context/allgather_route.hpp"

#include <algorithm>
#include <utility>

namespace shunt {

namespace {

class RouteMaker {
 public:
  RouteMaker(const Allgather& allgather, Rank rank, const Node& node,
             const std::vector<Bytes>& offsets, RouteKind kind)
      : allgather_(allgather), rank_(rank), node_(node), offsets_(offsets), kind_(kind) {}

  RouteStage make_stage(int stage) {
    RouteStage made;
    if (kind_.way == RouteWay::broadcast_buffers && allgather_.spreads_in_nodes(stage))
      made.broadcast.emplace();
    for (const Step& step : allgather_.steps(stage, rank_)) {
      RouteStep added;
      if (step.to != kNoRank) send(stage, step.to, made, added.out);
      if (step.from != kNoRank) receive(stage, step.from, made, added.in);
      if (added.out.peer != kNoRank || added.in.peer != kNoRank) {
        made.steps.push_back(std::move(added));
      }
    }
    const Machine* const machine =
        kind_.way == RouteWay::blocking ? allgather_.port_contention_free_on() : nullptr;
    if (machine != nullptr) {
      made.turns = token_order(
          *machine, rank_, [&](Rank mate) { return allgather_.steps(stage, mate); }, 1);
    }
    return made;
  }

 private:
  void send(int stage, Rank to, RouteStage& made, RouteMessage& out) {
    if (made.broadcast && node_.place_of(to)) {
      BroadcastPart& broadcast = *made.broadcast;
      ++broadcast.readers;
      if (broadcast.readers > 1) return;
      RouteMessage published = pieces_of(stage, rank_, to);
      broadcast.bytes = published.bytes;
      broadcast.pieces = std::move(published.pieces);
      return;
    }
    out = message(stage, rank_, to);
    if (out.is_packed()) made.packed_out += out.bytes;
  }

  void receive(int stage, Rank from, RouteStage& made, RouteMessage& in) {
    const std::optional<std::size_t> place = node_.place_of(from);
    if (made.broadcast && place) {
      RouteMessage published = pieces_of(stage, from, rank_);
      made.broadcast->sources.push_back(
          {*place, from, published.bytes, std::move(published.pieces)});
      return;
    }
    in = message(stage, from, rank_);
    if (in.is_packed()) made.packed_in += in.bytes;
  }

  RouteMessage message(int stage, Rank from, Rank to) {
    RouteMessage made = pieces_of(stage, from, to);
    if (made.pieces.size() > 1 && (!kind_.packs || made.bytes > kLongestPacked)) {
      made.type = RunsType(made.pieces);
    }
    return made;
  }

  RouteMessage pieces_of(int stage, Rank from, Rank to) {
    shares_.clear();
    allgather_.shares(stage, from, to, shares_);
    // In the first stage a rank holds its own block alone, and sends it from where it is.
    const bool own = stage == 0 && from == rank_;
    RouteMessage made;
    made.peer = from == rank_ ? to : from;
    for (const Share& share : shares_) {
      const Bytes block = own ? 0 : offsets_[static_cast<std::size_t>(share.source)];
      append_run(made.pieces, {block + share.begin, share.end - share.begin});
      made.bytes += share.end - share.begin;
    }
    return made;
  }

  const Allgather& allgather_;
  Rank rank_;
  const Node& node_;
  const std::vector<Bytes>& offsets_;
  RouteKind kind_;
  std::vector<Share> shares_;
};

void count_published(const BroadcastPart& broadcast, StageCounters& counted) {
  counted.messages_sent += broadcast.readers;
  for (const BroadcastSource& source : broadcast.sources) {
    ++counted.messages_received;
    counted.longest_received = std::max(counted.longest_received, source.bytes);
    counted.received += source.bytes;
  }
}

Counters count_messages(const AllgatherRoute& route) {
  Counters counters;
  for (const RouteStage& stage : route.stages) {
    StageCounters& counted = counters.stages.emplace_back();
    for (const auto& [out, in] : stage.steps) {
      if (out.bytes > 0) ++counted.messages_sent;
      if (in.bytes > 0) ++counted.messages_received;
      counted.longest_received = std::max(counted.longest_received, in.bytes);
      counted.received += in.bytes;
    }
    if (stage.broadcast) count_published(*stage.broadcast, counted);
    counters.peak_send_buffer = std::max(counters.peak_send_buffer, stage.packed_out);
    counters.peak_receive_buffer = std::max(counters.peak_receive_buffer, stage.packed_in);
  }
  return counters;
}

}  // namespace

AllgatherRoute make_route(std::unique_ptr<const Allgather> allgather, Rank rank, const Node& node,
                          const std::vector<Bytes>& offsets, RouteKind kind) {
  AllgatherRoute route;
  route.allgather = std::move(allgather);
  RouteMaker maker(*route.allgather, rank, node, offsets, kind);
  for (int stage = 0; stage < route.allgather->stages(); ++stage) {
    route.stages.push_back(maker.make_stage(stage));
    std::optional<BroadcastPart>& broadcast = route.stages.back().broadcast;
    if (!broadcast) continue;
    broadcast->published_before = route.published_stages++;
    Bytes& longest = route.longest_published;
    longest = std::max(longest, broadcast->bytes);
    for (const BroadcastSource& source : broadcast->sources)
      longest = std::max(longest, source.bytes);
  }
  if (route.stages.empty()) route.stages.emplace_back();
  route.all_published =
      route.longest_published > 0 && std::ranges::all_of(route.stages, [](const RouteStage& stage) {
        return stage.steps.empty();
      });
  route.counted = count_messages(route);
  return route;
}

}  // namespace shunt
