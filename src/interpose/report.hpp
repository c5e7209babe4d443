// What the interposer reports: SHUNT_VERBOSE and SHUNT_STATS.
#pragma once

#include <cstdint>

#include "shunt/types.hpp"

namespace shunt::interpose {

/// The number of this rank in MPI_COMM_WORLD. Requires that MPI is running.
[[nodiscard]] Rank world_rank();

/// Writes the line of SHUNT_VERBOSE on rank 0, once.
void report_first_use() noexcept;

/// Names on rank 0, once, each variable that is set and begins like Shunt's, but is none of them.
void report_misspelt() noexcept;

/// Writes with SHUNT_VERBOSE, once, that calls are made without MPI_Init.
void report_no_init() noexcept;

/// Gathers the record of all ranks and writes what the environment asks for, the first time that it
/// is called while MPI is running. Collective over MPI_COMM_WORLD. What cannot be written is said
/// on stderr.
void report_end() noexcept;

/// Says on rank 0, after MPI's end, where SHUNT_TRACE is set but nothing was recorded: neither here
/// nor by Shunt in the program itself.
class NoTraceReport {
 public:
  /// Before MPI's end; collective over MPI_COMM_WORLD.
  NoTraceReport() noexcept;
  void say_if_so() const noexcept;

 private:
  bool expects_none_ = false;  ///< on rank 0
  std::int64_t files_ = 0;     ///< traces in the folder before
};

}  // namespace shunt::interpose
