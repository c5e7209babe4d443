// The ranks of a communicator that run on one node with this one, and the memory they share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <mpi.h>

#include "shunt/options.hpp"
#include "shunt/types.hpp"
#include "transport/arena.hpp"
#include "transport/processes.hpp"
#include "transport/region.hpp"
#include "transport/shared_memory.hpp"

namespace shunt {

/// Regions that a rank keeps, and that exchanges of one kind use one after the other.
enum class Kept { one_shots, redistributions };

/// Every rank of the node has a share of its memory, of 1 to 4 MiB. It keeps one region for
/// one-shot exchanges at the beginning; plans take theirs from the rest. Redistributions have a
/// region beyond the share. Memory is taken as it is touched.
class Node {
 public:
  /// Finds the ranks of this rank's node and maps memory that they share. Collective over `comm`.
  /// MPI_Comm_split_type says which ranks share a node; the variable SHUNT_NODES, a layout of the
  /// ranks of MPI_COMM_WORLD (read_node_layout), can split nodes further. Throws Error(argument) or
  /// Error(file), on all ranks, where one of them cannot use it.
  explicit Node(MPI_Comm comm);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// Whether there are other ranks here and memory that all of them reach.
  [[nodiscard]] bool shares() const { return memory_ != nullptr; }

  /// Their processes: what one of them exposes can be read where they are readable.
  [[nodiscard]] const Processes& processes() const { return *processes_; }

  /// Two ranks have the same label if SHUNT_NODES puts them on one node; or, where it is not set,
  /// if they share one.
  [[nodiscard]] Rank label() const { return label_; }

  /// Ranks of the communicator, ascending.
  [[nodiscard]] const std::vector<Rank>& ranks() const { return ranks_; }
  /// Returns the place of this rank among `ranks()`.
  [[nodiscard]] std::size_t place() const { return place_; }
  [[nodiscard]] std::optional<std::size_t> place_of(Rank rank) const {
    const std::int32_t place = places_[static_cast<std::size_t>(rank)];
    return place < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(place));
  }

  /// How many processors the ranks of the node may run on, together.
  [[nodiscard]] int processors() const { return processors_; }
  /// A rank's share of the memory; 0 if there is none.
  [[nodiscard]] Bytes share_bytes() const { return shares() ? share_bytes_ : 0; }

  /// Whether the node has more ranks than processors for them, so that a rank that waits keeps
  /// another one from its work.
  [[nodiscard]] bool crowded() const { return crowded_; }

  /// A kept region of the rank at `place`: a table per half, so that the messages of both halves
  /// can be told apart.
  [[nodiscard]] Region kept_region(Kept kind, std::size_t place) const;

  /// A region of a plan and where it begins in this rank's share.
  struct Placed {
    Region region;
    Bytes offset;
  };
  /// The longest half that a region of a plan with that many tables can have now.
  [[nodiscard]] Bytes largest_half(std::size_t tables);
  /// A new region of this rank; nothing if there is no room for it.
  [[nodiscard]] std::optional<Placed> make_region(std::size_t tables, Bytes half);
  [[nodiscard]] Region region_at(std::size_t place, Bytes offset, std::size_t tables) const;
  /// Gives a region up: its memory is used again once all of `receivers` have set kTakenForever.
  void retire(const Placed& placed, std::vector<std::size_t> receivers) {
    retired_.push_back({placed, std::move(receivers)});
  }

  /// Publishes to the ranks of the node where this rank's next region lies (negative: nowhere). All
  /// of them announce in equal order; announcements are numbered from 1.
  void announce(std::uint64_t number, Bytes offset);
  /// Returns what the rank at `place` announced as `number`; nothing if it has not yet.
  [[nodiscard]] std::optional<Bytes> announced(std::size_t place, std::uint64_t number) const;

 private:
  struct Retired {
    Placed placed;
    std::vector<std::size_t> receivers;
  };
  /// Two announcements, in turn: when a rank makes one, all have read the one before the last.
  struct Announcements {
    Word number[2];
    Bytes offset[2];
  };

  [[nodiscard]] std::byte* share(std::size_t place) const;
  [[nodiscard]] Announcements& announcements(std::size_t place) const;
  [[nodiscard]] std::byte* kept_at(Kept kind, std::size_t place) const;
  /// Collective over `node`. Nothing is shared where there is too little memory for each rank, or
  /// none that all reach.
  void share_memory(MPI_Comm node);
  void reclaim();

  Rank label_ = 0;
  std::vector<Rank> ranks_;
  std::vector<std::int32_t> places_;  ///< by rank of the communicator; -1: on another node
  std::size_t place_ = 0;
  int processors_ = 0;
  bool crowded_ = false;
  Bytes share_bytes_ = 0;
  Bytes rank_bytes_ = 0;  ///< what a rank has: its share, and what lies beyond
  Region::Shape one_shots_{};
  Region::Shape redistributions_{};
  std::unique_ptr<SharedMemory> memory_;
  std::optional<Processes> processes_;  ///< none where nothing is shared
  std::optional<Arena> arena_;
  std::vector<Retired> retired_;
};

/// Whether the options let the messages of an exchange go through what the ranks of the node have
/// in common. Those that ask for single copies leave all of them to MPI where memory cannot be
/// exposed.
[[nodiscard]] inline bool shares_messages(const Options& options, const Node& node) {
  return options.shared_memory && options.mode != Mode::blocking && node.shares() &&
         (!options.single_copy || node.processes().readable());
}

}  // namespace shunt
