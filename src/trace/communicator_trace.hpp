// What this rank records of a communicator's collectives, for SHUNT_TRACE.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <mpi.h>

#include "environment/environment.hpp"
#include "exchange/yard_state.hpp"
#include "model/recording.hpp"

namespace shunt {

/// Whether the environment asks for traces.
[[nodiscard]] inline bool is_traced() { return !environment().trace.empty(); }

/// Whether this rank has begun to record a communicator, or to say why it does not.
[[nodiscard]] bool has_begun_traces();

/// Lives on when the communicator is freed, until MPI_Finalize. Any thread may use it.
class CommunicatorTrace {
 public:
  /// No other communicator has it, and all ranks of this one know it.
  struct Identity {
    std::int64_t leader;  ///< rank 0's rank in MPI_COMM_WORLD
    std::int64_t number;  ///< of the communicators with this leader, from 0

    auto operator<=>(const Identity&) const = default;
  };

  /// Those of a communicator's ranks that call this call it together. Null where nothing is
  /// recorded, on all of its ranks then. Exchanges by Shunt go by `yard`, whose ranks may wait for
  /// each other elsewhere; `of(comm)` is for those that are MPI's own.
  [[nodiscard]] static std::shared_ptr<CommunicatorTrace> of(const YardState& yard) noexcept;
  [[nodiscard]] static std::shared_ptr<CommunicatorTrace> of(MPI_Comm comm) noexcept;

  CommunicatorTrace(std::string name, std::vector<Rank> world_ranks);

  /// The ranks have agreed on it.
  void identify(const Identity& identity) { identity_ = identity; }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<Rank>& world_ranks() const { return world_ranks_; }
  [[nodiscard]] const Identity& identity() const { return identity_; }

  /// As Recording has them; `sent` is what this rank sends to each, in bytes. Of a broadcast the
  /// first of them says it for all.
  [[nodiscard]] std::optional<std::uint32_t> keep(const char* function,
                                                  const std::vector<Bytes>& sent,
                                                  RowKind kind) noexcept;
  std::optional<std::size_t> begin(std::optional<std::uint32_t> row) noexcept;
  void spend(std::size_t call, double seconds) noexcept;
  void fail(std::size_t call) noexcept;

  /// When nobody records any more.
  [[nodiscard]] const Recording& recording() const { return recording_; }

 private:
  std::string name_;
  std::vector<Rank> world_ranks_;
  Identity identity_{-1, -1};
  Recording recording_;
};

}  // namespace shunt
