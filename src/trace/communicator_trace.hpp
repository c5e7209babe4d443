// What this rank records of a communicator's collectives, for SHUNT_TRACE.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <mpi.h>

#include "context/context.hpp"
#include "environment/environment.hpp"
#include "model/recording.hpp"

namespace shunt {

/// Whether the environment asks for traces.
[[nodiscard]] inline bool is_traced() { return !environment().trace.empty(); }

/// Whether this rank has begun to record a communicator, or to say why it does not.
[[nodiscard]] bool has_begun_traces();

/// What this rank has recorded of one communicator. Exists until MPI_Finalize, also when the
/// communicator is freed. Any thread may use it.
class CommunicatorTrace {
 public:
  /// A name of the communicator that no other one has, and that all its ranks know.
  struct Identity {
    std::int64_t leader;  ///< rank 0's rank in MPI_COMM_WORLD
    std::int64_t number;  ///< of the communicators with this leader, from 0

    auto operator<=>(const Identity&) const = default;
  };

  /// Returns the trace of a communicator; null on all of its ranks where nothing is recorded.
  /// Collective: all ranks of a communicator that call this call it together. `of(context)` is for
  /// exchanges by Shunt, whose ranks may wait for each other elsewhere; `of(comm)` is for those by
  /// MPI.
  [[nodiscard]] static std::shared_ptr<CommunicatorTrace> of(const Context& context) noexcept;
  [[nodiscard]] static std::shared_ptr<CommunicatorTrace> of(MPI_Comm comm) noexcept;

  CommunicatorTrace(std::string name, std::vector<Rank> world_ranks);

  /// Sets the identity, on which the ranks have agreed.
  void identify(const Identity& identity) { identity_ = identity; }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<Rank>& world_ranks() const { return world_ranks_; }
  [[nodiscard]] const Identity& identity() const { return identity_; }

  /// Keeps a row and records calls, as the functions of Recording with these names do. `sent` is
  /// what this rank sends to each rank, in bytes; in an all-gather its first number counts for all
  /// ranks.
  [[nodiscard]] std::optional<std::uint32_t> keep(const char* function,
                                                  const std::vector<Bytes>& sent,
                                                  RowKind kind) noexcept;
  std::optional<std::size_t> begin(std::optional<std::uint32_t> row) noexcept;
  void spend(std::size_t call, double seconds) noexcept;
  void fail(std::size_t call) noexcept;

  /// Returns what was recorded. Called when no thread records any more.
  [[nodiscard]] const Recording& recording() const { return recording_; }

 private:
  std::string name_;
  std::vector<Rank> world_ranks_;
  Identity identity_{-1, -1};
  Recording recording_;
};

}  // namespace shunt
