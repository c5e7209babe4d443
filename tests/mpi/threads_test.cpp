// Under MPI_THREAD_MULTIPLE several threads exchange at once, each on a communicator of its own.
#include <algorithm>
#include <thread>

#include <gtest/gtest.h>

#include "lab/traffic/patterns.hpp"
#include "mpi/block_case.hpp"
#include "mpi/own_communicator.hpp"
#include "shunt/shunt.h"

namespace shunt::test {
namespace {

constexpr int kThreads = 3;
constexpr int kRounds = 10;
constexpr const char* kAlgorithmsOfThreads[] = {"linear", "four-stage", "auto", "row-column",
                                                "two-stage"};

/// What one thread does. Cases are made, and answers of MPI asked for, before the threads start:
/// gtest and the cases' own calls are on MPI_COMM_WORLD.
class Worker {
 public:
  explicit Worker(int number)
      : number_(number),
        comm_(OwnCommunicator::duplicate(MPI_COMM_WORLD)),
        traffic_(make_traffic(number == 0 ? "random" : "uniform",
                              {world_size(), 40 + 3000 * number, 1, 5})),
        case_(*traffic_, kElement, [](Rank, Rank) { return true; }) {}

  void run() {
    for (int round = 0; round < kRounds; ++round) {
      const Options options{
          kAlgorithmsOfThreads[(round + number_) % std::ssize(kAlgorithmsOfThreads)],
          kModes[round % std::ssize(kModes)],
          64,
          {}};
      one_shot(options);
      plan(options);
      records(options);
      through_c();
    }
  }

  [[nodiscard]] int wrong() const { return wrong_; }

 private:
  static constexpr std::size_t kElement = 6;

  /// Makes an exchange by `call`, which must bring what MPI brings.
  template <class Call>
  void expect_exact(Call&& call) {
    case_.poison();
    call();
    if (case_.received != case_.expected) ++wrong_;
  }

  void one_shot(const Options& options) {
    expect_exact([&] {
      Communicator(comm_.get())
          .alltoallv(case_.to_send(), case_.send_bytes(), case_.to_receive(), case_.receive_bytes(),
                     options);
    });
  }

  void plan(const Options& options) {
    Plan plan = Communicator(comm_.get())
                    .plan_alltoallv(case_.to_send(), case_.send_bytes(), case_.to_receive(),
                                    case_.receive_bytes(), options);
    for (int time = 0; time < 2; ++time) {
      expect_exact([&] { plan.execute(); });
    }
  }

  void records(const Options& options) {
    const std::vector<int> sent(200, world_rank());
    const auto received = Communicator(comm_.get())
                              .exchange(
                                  std::span<const int>(sent),
                                  [](int from) { return (from + 1) % world_size(); }, options);
    const int before = (world_rank() + world_size() - 1) % world_size();
    if (!std::ranges::equal(received, std::vector<int>(sent.size(), before))) ++wrong_;
  }

  /// With a datatype that all threads meet for the first time at once.
  void through_c() {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(kElement, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    auto wide = [](const std::vector<Bytes>& values) {
      return std::vector<MPI_Count>(values.begin(), values.end());
    };
    auto places = [](const std::vector<Bytes>& values) {
      return std::vector<MPI_Aint>(values.begin(), values.end());
    };
    const Layout& out = case_.send_layout;
    const Layout& in = case_.receive_layout;
    expect_exact([&] {
      SHUNT_Alltoallv_c(case_.to_send().data(), wide(out.counts).data(),
                        places(out.displacements).data(), type, case_.to_receive().data(),
                        wide(in.counts).data(), places(in.displacements).data(), type, comm_.get());
    });
    MPI_Type_free(&type);
  }

  int number_;
  OwnCommunicator comm_;
  std::unique_ptr<Traffic> traffic_;
  BlockCase case_;
  int wrong_ = 0;
};

TEST(Threads, ExchangeAtOnce) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_MULTIPLE) GTEST_SKIP() << "MPI is not for several threads";
  std::vector<std::unique_ptr<Worker>> workers;
  for (int k = 0; k < kThreads; ++k) workers.push_back(std::make_unique<Worker>(k));
  {
    std::vector<std::jthread> threads;
    for (const auto& worker : workers) threads.emplace_back([&worker] { worker->run(); });
  }
  for (const auto& worker : workers) EXPECT_EQ(worker->wrong(), 0);
}

}  // namespace
}  // namespace shunt::test
