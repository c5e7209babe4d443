// What an algorithm is: a pure value that the engine runs, the checker proves, the planner weighs
// and the command prints.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "model/loads.hpp"
#include "model/machine.hpp"
#include "schedule/step.hpp"
#include "schedule/way.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// The bytes [begin, end) of a stream go to rank `to` in this stage.
struct Piece {
  Rank to;
  Bytes begin;
  Bytes end;
};

/// Where single records go in one stage: either by destination alone (collection), or to the ranks
/// of a cycle one after the other, which each destination enters at its own place (distribution).
struct RecordRule {
  bool dealt = false;
  std::vector<Rank> to;  ///< by destination; or, if dealt, the cycle

  /// Where destination `d` enters the cycle.
  std::vector<Rank> entry;
};

/// The bound that an algorithm states for one rank in one stage.
struct StageBound {
  int messages;           ///< received, the one from oneself included
  Bytes longest_message;  ///< in bytes of payload, received
  Bytes load;             ///< bytes of payload received in all
};

/// Shifts of all ranks along the dimensions of `array`, by multiples of `period`, which divides
/// each of its extents. Ranks that are shifted to each other are equivalent.
struct Symmetry {
  Extents array;
  Rank period = 1;
};

/// A staged exchange over ranks 0..ranks()-1.
///
/// The state of a rank between stages is one *stream* of bytes per destination. In a stage each
/// stream is cut into consecutive pieces (`route`), the pieces for one rank travel in one message,
/// destinations ascending, and the stream that a rank then holds for a destination is what it
/// received for it, senders ascending. After the last stage every stream is at its destination.
///
/// Everything here is computed for one rank at a time, without communication; a rank's own schedule
/// costs O(its steps).
class Algorithm {
 public:
  virtual ~Algorithm() = default;

  /// The name under which `make_algorithm` makes this value again.
  [[nodiscard]] virtual std::string name() const = 0;

  [[nodiscard]] virtual Rank ranks() const = 0;

  [[nodiscard]] virtual int stages() const = 0;

  /// What the stage does, in a few words ("distribute in rows").
  [[nodiscard]] virtual std::string stage_name(int stage) const = 0;

  /// The steps in which `rank` sends or receives, ascending.
  [[nodiscard]] virtual std::vector<Step> steps(int stage, Rank rank) const = 0;

  /// The number of steps that the stage takes over all ranks.
  [[nodiscard]] virtual int step_count(int stage) const = 0;

  /// Appends the pieces into which `at` cuts its stream of `length` bytes for `destination`:
  /// consecutive, none empty, together [0, length). Depends on nothing else, so that the
  /// destination can follow its data from the counts alone.
  virtual void route(int stage, Rank at, Rank destination, Bytes length,
                     std::vector<Piece>& pieces) const = 0;

  [[nodiscard]] virtual RecordRule record_rule(int stage, Rank at) const = 0;

  /// Whether a block from `source` to `destination` may be non-empty.
  [[nodiscard]] virtual bool supports_pair([[maybe_unused]] Rank source,
                                           [[maybe_unused]] Rank destination) const {
    return true;
  }

  /// Returns the machine of which no node takes part in two exchanges with other nodes in one step,
  /// if the algorithm promises that; null if it does not. Messages both ways between two ranks are
  /// one exchange.
  [[nodiscard]] virtual const Machine* port_contention_free_on() const { return nullptr; }

  /// Bytes that a rank should have under way in each direction at once: with more, messages
  /// overtake the order of the steps, and fill the queues of the node's link.
  [[nodiscard]] virtual Bytes max_in_flight() const { return std::numeric_limits<Bytes>::max(); }

  /// Returns the torus on whose links no two messages of one stage meet, and where no data makes a
  /// detour, if the algorithm promises that; null if it does not. Each message goes along one
  /// dimension.
  [[nodiscard]] virtual const Extents* link_contention_free_on() const { return nullptr; }

  /// Which way round the torus of `link_contention_free_on` the message from `from` to `to` goes
  /// where both ways are equally long.
  [[nodiscard]] virtual Way way_round([[maybe_unused]] int stage, [[maybe_unused]] Rank from,
                                      [[maybe_unused]] Rank to) const {
    return Way::both;
  }

  /// Shifts that change nothing of the schedule, and of the routes only the rounding of cuts, in
  /// each stage by a grain a piece at most: in a complete exchange of equal blocks, equivalent
  /// ranks do the same. Null if the algorithm does not promise any.
  [[nodiscard]] virtual std::optional<Symmetry> symmetry() const { return std::nullopt; }

  /// The bound for `rank` in `stage` when no rank sends or receives more than
  /// `traffic.largest_load` bytes and no block is longer than `traffic.longest_block`.
  [[nodiscard]] virtual StageBound bound(int stage, Rank rank,
                                         const TrafficBound& traffic) const = 0;

  /// Seconds that the algorithm's own model expects for the exchange, posted step by step on one
  /// port per rank.
  [[nodiscard]] virtual double predict(const Loads& loads, const LinkCost& cost) const = 0;

  /// Steps over all stages: the number of start-ups of the busiest rank.
  [[nodiscard]] int start_ups() const;

  /// Bytes of payload that the receive buffer of `rank` needs in any stage. Its send buffer needs
  /// no more, since a rank sends what it has received.
  [[nodiscard]] Bytes buffer_bound(Rank rank, const TrafficBound& traffic) const;
};

}  // namespace shunt
