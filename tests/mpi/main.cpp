// Runs all tests on all ranks at once; rank 0 reports. A test fails if it fails on any rank.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <gtest/gtest.h>
#include <mpi.h>

namespace {

/// After each test the ranks agree on its result, so that rank 0 reports what another rank saw.
class AgreeOnResult : public testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo& info) override {
    int failed = info.result()->Failed() ? 1 : 0;
    int mine = failed;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (failed != 0 && mine == 0) ADD_FAILURE() << "failed on another rank";
  }
};

/// What ranks other than 0 print: their failures.
class QuietPrinter : public testing::EmptyTestEventListener {
 public:
  explicit QuietPrinter(int rank) : rank_(rank) {}

 private:
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (result.failed()) {
      std::fprintf(stderr, "rank %d: %s:%d: %s\n", rank_,
                   result.file_name() == nullptr ? "?" : result.file_name(), result.line_number(),
                   result.summary());
    }
  }

  int rank_;
};

}  // namespace

/// The number after --least=, of tests that a filter has to choose: a test that has another name
/// now must not go unnoticed. 0 without it.
int least_tests(int argc, char** argv) {
  constexpr std::string_view kOption = "--least=";
  for (int k = 1; k < argc; ++k) {
    const std::string_view word = argv[k];
    if (word.starts_with(kOption)) return std::atoi(argv[k] + kOption.size());
  }
  return 0;
}

/// Whether so many were chosen; says so on rank 0 if not.
bool are_enough(int least, int rank) {
  const int chosen = testing::UnitTest::GetInstance()->test_to_run_count();
  if (chosen >= least) return true;
  if (rank == 0) std::printf("only %d tests were chosen, at least %d have to be\n", chosen, least);
  return false;
}

/// With threads on MPI as with most programs that have none: waiting makes progress on other
/// communicators only without.
bool single_threaded(int argc, char** argv) {
  return std::any_of(argv, argv + argc,
                     [](const char* word) { return std::strcmp(word, "--single-threaded") == 0; });
}

int main(int argc, char** argv) {
  // What a user has learned changes no test, and no test changes it.
  setenv("SHUNT_WISDOM", "none", 0);
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv,
                  single_threaded(argc, argv) ? MPI_THREAD_FUNNELED : MPI_THREAD_MULTIPLE,
                  &provided);
  testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  testing::TestEventListener* const printer = listeners.Release(listeners.default_result_printer());
  if (rank == 0) {
    listeners.Append(printer);
  } else {
    delete printer;
    listeners.Append(new QuietPrinter(rank));
  }
  // Listeners hear the end of a test in reverse order, so this one is heard before the printer.
  listeners.Append(new AgreeOnResult);
  const int result = RUN_ALL_TESTS();
  const bool enough = are_enough(least_tests(argc, argv), rank);
  MPI_Finalize();
  return enough ? result : 1;
}
