// The algorithms in use on a communicator, with what one rank does in them.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "context/blocks.hpp"
#include "context/kept_allgathers.hpp"
#include "context/process_set.hpp"
#include "context/topology.hpp"
#include "schedule/token_order.hpp"
#include "shunt/options.hpp"

namespace shunt {

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
  [[nodiscard]] KeptAllgathers::Kept& find_allgather(const std::string& name,
                                                     const ReceiveBlocks& blocks, RouteKind kind);

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

  ProcessSet& set_;
  Topology& topology_;
  /// A program uses few of them, so looking through them all is the fastest way to find one.
  std::deque<Kept> schedules_;
  std::set<std::string> usable_allgathers_;
  KeptAllgathers allgathers_;
};

}  // namespace shunt
