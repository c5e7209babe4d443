// Compares exchanges of the same blocks: the MPI library's own and Shunt's, in turn, all verified.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <mpi.h>

#include "contest_blocks.hpp"
#include "model/traffic.hpp"
#include "shunt/shunt.hpp"

namespace shunt::bench {

/// One way to make the exchange.
struct Contestant {
  std::string algorithm;  ///< "native": MPI_Alltoallv
  std::string mode;       ///< empty for native
  std::string form;       ///< "plan", "one-shot"; empty for native
  std::function<void()> run;
};

/// What a contestant took. Times are those of the slowest rank, microseconds.
struct Result {
  std::string algorithm;
  std::string mode;
  std::string form;
  std::vector<double> microseconds;  ///< by round
  double median = 0;
  double least = 0;
  double most = 0;
  double native_ratio = 0;  ///< median of the first contestant's times over this median
};

/// Replaces each rank's times by those of the slowest rank and fills in what follows from them.
/// Collective.
void summarise(std::vector<Result>& results, MPI_Comm comm);

struct ContestOptions {
  std::vector<std::string> algorithms;
  std::vector<Mode> modes;
  bool plans = true;
  bool one_shots = true;
  Bytes grain = 512;
  Bytes packet = 0;
  int rounds = 20;
  int warm_up = 2;
};

/// The blocks of a traffic on this rank, filled so that a wrong byte is seen, and every contestant.
class AlltoallvContest {
 public:
  /// Collective, as are the other members. `element` is the size of an element in bytes.
  AlltoallvContest(MPI_Comm comm, const Traffic& traffic, int element,
                   const ContestOptions& options);
  ~AlltoallvContest();
  AlltoallvContest(const AlltoallvContest&) = delete;
  AlltoallvContest& operator=(const AlltoallvContest&) = delete;

  /// Runs all contestants in turn, round after round, and checks every exchange.
  [[nodiscard]] std::vector<Result> run();

  /// Over all ranks, so far.
  [[nodiscard]] Bytes exchanges() const { return exchanges_; }
  [[nodiscard]] Bytes wrong_bytes() const;

  /// The largest number of bytes that one rank sends.
  [[nodiscard]] Bytes largest_send() const;

 private:
  void add_native();
  void add_shunt(const ContestOptions& options);
  double time_once(const Contestant& contestant);

  MPI_Comm comm_;
  Yard yard_;
  ContestOptions options_;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  ContestBlocks blocks_;
  std::vector<Plan> plans_;
  std::vector<Contestant> contestants_;
  Bytes exchanges_ = 0;
  Bytes wrong_ = 0;
};

}  // namespace shunt::bench
