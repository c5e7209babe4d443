// What the benches over MPI share.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include <mpi.h>

#include "lab/bench/contest.hpp"
#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic.hpp"
#include "tools/common/table.hpp"

namespace shunt {

/// MPI for as long as the subcommand runs.
class MpiSession {
 public:
  MpiSession() {
    // What is timed here does not depend on what was learned before, unless the caller names it.
    setenv("SHUNT_WISDOM", "none", 0);
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }
  ~MpiSession() { MPI_Finalize(); }
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] bool reports() const { return rank_ == 0; }

 private:
  int rank_ = 0;
  int ranks_ = 1;
};

/// "wisdom: FILE" and a line's end, where plans of "auto" may be those of earlier runs; else empty.
[[nodiscard]] std::string wisdom_line();

/// Returns the modes with these names, in the order of Mode.
[[nodiscard]] std::vector<Mode> modes_named(const std::vector<std::string>& names);

/// Sets which forms, of "plan" and "one-shot", are timed.
void set_forms(bench::ContestOptions& options, const std::vector<std::string>& names);

/// Throws Error(argument) where the bench cannot run the algorithm: unknown, or not for all pairs.
void check_algorithm(const std::string& name, Rank ranks, Bytes grain);

/// Throws Error(argument) where the bench cannot run the configuration: an algorithm, and options
/// behind it (`read_configuration`).
void check_configuration(const std::string& configuration, Rank ranks, Bytes grain);

/// Throws Error(argument) where the all-gather cannot be had on that many ranks.
void check_allgather(const std::string& name, Rank ranks);

/// The longest block, in elements, with which no rank sends more than `load` bytes in all.
[[nodiscard]] Bytes maximum_within(Bytes load, const std::string& pattern, TrafficShape shape,
                                   int element);

/// A load that is asked for, and the longest block, in elements, with which it is kept.
struct SizedLoad {
  Bytes load;
  Bytes maximum;
};

/// Each of the loads with its `maximum_within`; of a file its own load and longest block alone.
[[nodiscard]] std::vector<SizedLoad> sized_loads(const std::vector<Bytes>& loads,
                                                 const std::string& pattern,
                                                 const TrafficShape& shape, int element);

/// The lines that say what the times and ratios of `results_table` are.
[[nodiscard]] std::string timing_legend(int rounds);

/// The results of one contest as a table, the same for a reader and for a program. `reference`
/// names the first contestant, to which the ratios refer.
[[nodiscard]] Table results_table(const std::vector<bench::Result>& results,
                                  const std::string& reference);

}  // namespace shunt
