// The algorithms in use on a communicator, with what one rank does in them.
#pragma once

#include <cstddef>
#include <deque>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "context/allgather_route.hpp"
#include "context/blocks.hpp"
#include "context/process_set.hpp"
#include "context/topology.hpp"
#include "schedule/token_order.hpp"
#include "shunt/options.hpp"

namespace shunt {

class AllgatherRun;

/// An algorithm with the steps of one rank, computed once.
struct Schedule {
  std::unique_ptr<Algorithm> algorithm;
  std::vector<std::vector<Step>> steps;  ///< by stage
  /// By stage and step; none where the order alone is kept. Where an algorithm spares the ports of
  /// nodes, one step of a node is under way at a time in blocking mode, and a few where messages
  /// are cut into packets.
  std::vector<std::vector<TokenTurn>> turns;
  bool supports_all_pairs;  ///< whether all blocks from and to this rank are carried
};

/// What serves all all-gathers of one algorithm and kind, with blocks of the same lengths at the
/// same offsets.
struct KeptAllgather {
  std::shared_ptr<const AllgatherRoute> route;
  /// The run of the last one-shot all-gather, for the next one of blocks that lie where those did.
  /// Null where there was none, or where it failed or had much memory of its own.
  std::shared_ptr<AllgatherRun> run;
};

/// Returns `window` with at most as many bytes under way as the algorithm wants.
[[nodiscard]] Window within_limits(Window window, const Algorithm& algorithm);

/// Keeps what was made for earlier calls.
class Schedules {
 public:
  /// Both outlive it.
  Schedules(ProcessSet& set, Topology& topology) : set_(set), topology_(topology) {}

  /// Returns the algorithm of this name with the steps of this rank, by the grain, mode and packet
  /// of `options`. Collective when it is new and depends on where the ranks are.
  [[nodiscard]] const Schedule& find(const std::string& algorithm, const Options& options);

  /// Returns this rank's part in the all-gather `name` that brings `blocks` to all ranks, with a
  /// route. Valid until the next call; those used last are kept. Collective when the all-gather
  /// depends on where the ranks are and that was not asked before.
  [[nodiscard]] KeptAllgather& find_allgather(const std::string& name, const ReceiveBlocks& blocks,
                                              RouteKind kind);

  /// Throws Error(argument) where there is no all-gather algorithm `name` of this number of ranks.
  /// Collective when `find_allgather` is.
  void expect_allgather(const std::string& name);

 private:
  struct Kept {
    std::string algorithm;
    Bytes grain;
    std::size_t tokens;
    Schedule schedule;
  };

  /// A program uses few of them; one whose blocks always differ leaves these behind.
  static constexpr std::size_t kMostAllgathers = 8;

  /// All ranks have the same names, lengths and kinds; where the blocks lie is each rank's own
  /// business.
  struct MadeAllgather {
    std::string name;
    RouteKind kind;
    std::vector<Bytes> lengths;
    std::vector<Bytes> offsets;
    KeptAllgather kept;
  };

  ProcessSet& set_;
  Topology& topology_;
  /// A program uses few of them, so looking through them all is the fastest way to find one.
  std::deque<Kept> schedules_;
  std::set<std::string> usable_allgathers_;
  std::list<MadeAllgather> allgathers_;  ///< the last used first
};

}  // namespace shunt
