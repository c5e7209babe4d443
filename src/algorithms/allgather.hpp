// What an all-gather from many sources is: a pure value that the engine runs, the checker proves,
// the planner weighs and the command prints.
#pragma once

#include <string>
#include <vector>

#include "model/loads.hpp"
#include "model/machine.hpp"
#include "model/sources.hpp"
#include "schedule/step.hpp"

namespace shunt {

/// The bytes [begin, end) of the block of `source`.
struct Share {
  Rank source;
  Bytes begin;
  Bytes end;

  friend auto operator<=>(const Share&, const Share&) = default;
};

/// Appends what was found as `Allgather::shares` has it: in order, and what is adjacent joined.
void append_joined(std::vector<Share> found, std::vector<Share>& shares);

/// A staged all-gather of the blocks of all `sources()` to all ranks 0..ranks()-1.
///
/// A source holds its own block from the beginning. In a stage a rank passes on some of what it
/// holds at the stage's beginning; what it receives, it holds afterwards. After the last stage
/// every rank holds every block; it has received each byte once, and none of its own.
///
/// All ranks know the sources and the lengths of their blocks, so that both ends of a message
/// compute what is in it, without communication. A rank's own schedule, with all shares, costs
/// O(what it sends and receives + ranks()).
class Allgather {
 public:
  explicit Allgather(Sources sources) : sources_(std::move(sources)) {}
  virtual ~Allgather() = default;

  /// The name under which `make_allgather` makes this value again.
  [[nodiscard]] virtual std::string name() const = 0;

  [[nodiscard]] const Sources& sources() const { return sources_; }
  [[nodiscard]] Rank ranks() const { return sources_.ranks(); }

  [[nodiscard]] virtual int stages() const = 0;

  /// What the stage does, in a few words ("gather at rank 0").
  [[nodiscard]] virtual std::string stage_name(int stage) const = 0;

  /// The steps in which `rank` sends or receives, ascending. No message is empty.
  [[nodiscard]] virtual std::vector<Step> steps(int stage, Rank rank) const = 0;

  /// No rank has a step of a higher number in the stage. The same on all ranks; with few sources,
  /// the last steps may have nothing to carry.
  [[nodiscard]] virtual int step_count(int stage) const = 0;

  /// Steps over all stages: the number of start-ups of the busiest rank.
  [[nodiscard]] int start_ups() const;

  /// Appends what the message of `stage` from `from` to `to` carries, where there is one: sources
  /// ascending, of each the parts ascending, none empty, none adjacent to the next.
  virtual void shares(int stage, Rank from, Rank to, std::vector<Share>& shares) const = 0;

  /// Whether in `stage` each rank sends the same to all other ranks of its node, or nothing to any
  /// of them, so that it can show them all at once.
  [[nodiscard]] virtual bool spreads_in_nodes(int /*stage*/) const { return false; }

  /// The machine of which no node takes part in two exchanges with other nodes in one step, if the
  /// all-gather promises that; null if it does not.
  [[nodiscard]] virtual const Machine* port_contention_free_on() const { return nullptr; }

  /// Seconds that the all-gather is expected to take on ranks with one port each way and no other
  /// contention. Costs O(ranks() * log ranks()).
  [[nodiscard]] virtual double predict(const LinkCost& cost) const = 0;

 private:
  Sources sources_;
};

}  // namespace shunt
