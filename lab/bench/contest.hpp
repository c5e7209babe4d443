// Compares several ways to do one thing: runs them in turn, round after round, and verifies all.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <mpi.h>

#include "model/interleaved_order.hpp"
#include "shunt/shunt.hpp"

namespace shunt::bench {

/// One way to do it; only `run` is timed.
struct Contestant {
  std::string algorithm;  ///< of the reference, which comes first: what it is, as "native"
  std::string mode;       ///< empty for the reference
  std::string form;       ///< "plan", "one-shot"; of the reference any word, or none
  std::function<void()> run;
  std::function<void()> prepare;                   ///< removes what an earlier run left
  std::function<Bytes()> count_mistakes;           ///< in what the run left on this rank
  std::function<void()> begin_turn = nullptr;      ///< makes what each turn needs
  std::function<void()> end_turn = nullptr;        ///< frees it
  std::function<std::string()> explain = nullptr;  ///< what its last run was made with
  int learning = 0;  ///< more runs before any is timed: it learns from them
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
  double native_ratio = 0;  ///< the first contestant's times over these: `paired_ratio`
  std::vector<std::string> explanations{};  ///< by turn, on this rank, of contestants that explain
};

struct ContestOptions {
  std::vector<std::string> algorithms;
  std::vector<Mode> modes;
  bool plans = true;
  bool one_shots = true;
  Bytes grain = 512;
  Bytes packet = 0;
  int rounds = 20;
  /// The most rounds in all, where more are needed: of the first contestant, of "auto", and of
  /// those that may yet be the fastest, until the first one's times over those of "auto" are known
  /// (`is_known`).
  int most_rounds = 0;
  int warm_up = 2;
  int learning = 0;  ///< more warm-ups of what "auto" makes, which learns from them
  int batch = 1;     ///< runs after each other, without a barrier, whose mean is one time
  int runs = 1;      ///< times of which a round takes the median
  /// Whether plans are made for each turn, which begins with the warm-ups, and freed after it. Each
  /// plan then has the memory that the ranks of a node share to itself, as in a program that has no
  /// other plan.
  bool lone_plans = false;
};

/// The two forms of a call of Shunt.
struct Forms {
  std::function<Plan(const Options&)> plan;
  std::function<Counters(const Options&)> one_shot;
};

class Contest {
 public:
  /// Collective, as are the other members.
  Contest(MPI_Comm comm, const ContestOptions& options) : comm_(comm), options_(options) {}

  void add(Contestant contestant) { contestants_.push_back(std::move(contestant)); }

  /// Adds Shunt's calls by every algorithm, mode and form of the options. They share what
  /// `reference` prepares and how it counts mistakes.
  void add_shunt(const Forms& forms, const Contestant& reference);

  /// Runs all contestants in turn, round after round, and checks what every batch left.
  [[nodiscard]] std::vector<Result> run();

  /// Runs that were checked so far: the last one of each batch.
  [[nodiscard]] Bytes runs() const { return runs_; }

  /// Returns the mistakes that were counted so far, on all ranks together. Collective.
  [[nodiscard]] Bytes mistakes() const;

 private:
  /// Runs `rounds` rounds of the contestants that `turns` orders, and adds their times to
  /// `results`.
  void play(InterleavedOrder& turns, int rounds, std::vector<Result>& results);
  /// Runs the contestant for one round and adds what it took to `result`.
  void take_turn(const Contestant& contestant, Result& result);
  /// Runs a batch and checks it. Returns the seconds of a run on this rank, in the mean of the
  /// batch.
  double time_batch(const Contestant& contestant);
  void warm_up(const Contestant& contestant, int runs);

  MPI_Comm comm_;
  ContestOptions options_;
  std::vector<Contestant> contestants_;
  Bytes runs_ = 0;
  Bytes mistakes_ = 0;
};

}  // namespace shunt::bench
