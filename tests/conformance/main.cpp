// Makes thousands of random collective calls, each by MPI and by Shunt, and compares bytes and
// error classes. Every choice follows from the seed and the number of the case.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <mpi.h>

#include "conformance/error_cases.hpp"
#include "conformance/exchange_case.hpp"
#include "conformance/settings.hpp"

namespace {

using shunt::test::Dice;
using shunt::test::Settings;

/// Communicators of several kinds, owned, the world first.
class Communicators {
 public:
  Communicators() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &add());
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &add());
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &add());
    MPI_Comm_split(MPI_COMM_WORLD, rank / 3, -rank, &add());
    MPI_Comm_dup(MPI_COMM_SELF, &add());
  }
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;
  ~Communicators() {
    for (MPI_Comm& comm : comms_) MPI_Comm_free(&comm);
  }

  [[nodiscard]] MPI_Comm pick(Dice& dice) const {
    return comms_[static_cast<std::size_t>(dice.below(static_cast<int>(comms_.size())))];
  }

 private:
  MPI_Comm& add() { return comms_.emplace_back(MPI_COMM_NULL); }
  std::vector<MPI_Comm> comms_;
};

/// Prints what differs, on whichever rank it does; returns whether anything did.
bool report(std::uint64_t seed, std::uint64_t number, const std::string& call,
            const std::string& difference) {
  int differs = difference.empty() ? 0 : 1;
  if (differs != 0) {
    fmt::print(stderr, "seed {}, case {}: {}: {}\n", seed, number, call, difference);
  }
  MPI_Allreduce(MPI_IN_PLACE, &differs, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return differs != 0;
}

bool run_case(const Settings& settings, std::uint64_t number, const Communicators& comms) {
  Dice dice{settings.seed, number, 1};
  constexpr int kErrorsAmongCases = 10;
  if (dice.one_in(kErrorsAmongCases)) {
    shunt::test::ErrorCase wrong(dice);
    return report(settings.seed, number, wrong.describe(), wrong.run());
  }
  shunt::test::ExchangeCase exchange(settings.seed, number, comms.pick(dice));
  return report(settings.seed, number, exchange.describe(), exchange.run());
}

/// Whether there is time for another case; the ranks agree on it.
bool goes_on(const Settings& settings, std::uint64_t done, double begin) {
  if (settings.minutes <= 0) return done < settings.cases;
  constexpr std::uint64_t kBetweenLooks = 100;
  if (done % kBetweenLooks != 0) return true;
  constexpr double kMinute = 60;
  int more = MPI_Wtime() - begin < settings.minutes * kMinute ? 1 : 0;
  MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return more != 0;
}

int run_all(Settings settings) {
  MPI_Bcast(&settings.seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  const Communicators comms;
  std::uint64_t done = 0;
  std::uint64_t different = 0;
  const double begin = MPI_Wtime();
  for (; settings.only.empty() && goes_on(settings, done, begin); ++done) {
    if (run_case(settings, done, comms)) ++different;
  }
  for (const std::uint64_t number : settings.only) {
    if (run_case(settings, number, comms)) ++different;
    ++done;
  }
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0) {
    fmt::print("{} cases on {} ranks, seed {}: {} differences\n", done, ranks, settings.seed,
               different);
  }
  return different == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  // What a user has learned changes no test, and no test changes it.
  setenv("SHUNT_WISDOM", "none", 0);
  MPI_Init(&argc, &argv);
  Settings settings;
  settings.seed = std::random_device{}();
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto wrong_use = shunt::test::read_settings(settings, argc, argv, rank == 0);
  const int status = wrong_use ? *wrong_use : run_all(settings);
  MPI_Finalize();
  return status;
}
