// One rank's part in an all-gather: what it sends to which rank, and where those bytes lie. A route
// knows offsets, not addresses, so it is made once for blocks of equal lengths at equal
// displacements.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "algorithms/allgather.hpp"
#include "context/runs.hpp"
#include "schedule/token_order.hpp"
#include "shunt/counters.hpp"
#include "transport/node.hpp"

namespace shunt {

/// A message of several pieces is packed up to this length. Longer ones go by a datatype: MPI then
/// moves the pieces while it sends, which takes about half the time of copying them before.
inline constexpr Bytes kLongestPacked = 8192;

struct RouteMessage {
  Rank peer = kNoRank;  ///< kNoRank: there is no message
  Bytes bytes = 0;
  std::vector<Run> pieces;  ///< in the order of the message; none adjacent to the next
  RunsType type;            ///< where there are several, and they are not packed

  [[nodiscard]] bool is_packed() const {
    return pieces.size() > 1 && type.get() == MPI_DATATYPE_NULL;
  }
};

struct RouteStep {
  RouteMessage out;
  RouteMessage in;
};

/// What another rank of the node publishes for this one in a stage.
struct BroadcastSource {
  std::size_t place;  ///< in the node
  Rank from;
  Bytes bytes;
  std::vector<Run> pieces;  ///< where it belongs
};

/// The messages of a stage that go through the broadcast buffers of the node
/// (transport/broadcast_buffers.hpp).
struct BroadcastPart {
  std::size_t published_before = 0;  ///< how many such stages of the route precede it
  std::vector<Run> pieces;           ///< where what this rank publishes lies
  Bytes bytes = 0;
  int readers = 0;
  std::vector<BroadcastSource> sources;
};

struct RouteStage {
  std::vector<RouteStep> steps;  ///< what goes through MPI
  std::optional<BroadcastPart> broadcast;
  std::vector<TokenTurn> turns;  ///< as in Schedule
  Bytes packed_out = 0;          ///< bytes of packed messages
  Bytes packed_in = 0;
};

/// One rank's part in an all-gather. All pieces lie in the receive buffer, but those that are sent
/// in the first stage lie in the rank's own block. Has at least one stage, which may do nothing.
struct AllgatherRoute {
  std::unique_ptr<const Allgather> allgather;
  std::vector<RouteStage> stages;
  /// Stages that go through broadcast buffers; equal on all ranks of a node.
  std::size_t published_stages = 0;
  Bytes longest_published = 0;  ///< the most bytes that a rank of the node publishes in a stage
  bool all_published = false;   ///< nothing goes through MPI
  Counters counted;             ///< what one run moves, by stage, and what it packs
};

/// How the messages of a route travel. Equal on all ranks of a node.
enum class RouteWay {
  straight,  ///< all through MPI
  blocking,  ///< all through MPI, in a mode that keeps the promise of `port_contention_free_on`
  broadcast_buffers  ///< through the broadcast buffers of the node where the all-gather allows
};

struct RouteKind {
  RouteWay way = RouteWay::straight;
  /// Whether short messages of several pieces are packed, which takes memory. Each rank may choose.
  bool packs = true;

  friend bool operator==(const RouteKind&, const RouteKind&) = default;
};

/// Returns the part of `rank`, which is on `node`, if the block of source s is to lie at
/// offsets[s]. Costs O(what the rank sends and receives + ranks).
[[nodiscard]] AllgatherRoute make_route(std::unique_ptr<const Allgather> allgather, Rank rank,
                                        const Node& node, const std::vector<Bytes>& offsets,
                                        RouteKind kind);

}  // namespace shunt
