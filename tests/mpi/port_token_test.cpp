// The strict form of the algorithms that spare the ports of nodes: one rank of a node at a time.
#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "engine/stage_runner.hpp"
#include "mpi/nodes.hpp"
#include "mpi_calls/mpi_call.hpp"

namespace shunt::test {
namespace {

/// How many ranks of each node are at work, in memory that all ranks of a computer see.
class Watch {
 public:
  explicit Watch(const Machine& machine)
      : computer_(OwnCommunicator::of_machine(MPI_COMM_WORLD)),
        node_(static_cast<std::size_t>(machine.node_of(world_rank()))) {
    int rank = 0;
    MPI_Comm_rank(computer_.get(), &rank);
    const MPI_Aint bytes = rank == 0 ? machine.nodes() * static_cast<MPI_Aint>(sizeof(int)) : 0;
    int* own = nullptr;
    MPI_Win_allocate_shared(bytes, sizeof(int), MPI_INFO_NULL, computer_.get(), &own, &window_);
    MPI_Aint size = 0;
    int unit = 0;
    MPI_Win_shared_query(window_, 0, &size, &unit, &at_work_);
    if (rank == 0) std::fill_n(at_work_, machine.nodes(), 0);
    MPI_Barrier(computer_.get());
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() { MPI_Win_free(&window_); }

  /// How many ranks of this rank's node are at work now, with this one.
  int begin() { return std::atomic_ref(at_work_[node_]).fetch_add(1) + 1; }
  void end() { std::atomic_ref(at_work_[node_]).fetch_sub(1); }

 private:
  OwnCommunicator computer_;
  std::size_t node_;
  MPI_Win window_ = MPI_WIN_NULL;
  int* at_work_ = nullptr;
};

/// Empty messages, and a look at who else is at work in each step that leaves the node.
class WatchedMessages final : public StageMessages {
 public:
  WatchedMessages(const Context& context, const Machine& machine, std::vector<Step> steps, int tag)
      : context_(context),
        machine_(machine),
        steps_(std::move(steps)),
        tag_(tag),
        watch_(machine) {}

  Posted post_receive(std::size_t index) override {
    open_ = 2;
    if (crosses(index)) {
      most_ = std::max(most_, watch_.begin());
      // Time for others of the node to do what they should not.
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    return {start_receive(nullptr, 0, {steps_[index].from, tag_, context_.comm()}), 0};
  }
  Posted post_send(std::size_t index) override {
    return {start_send(nullptr, 0, {steps_[index].to, tag_, context_.comm()}), 0, true};
  }
  Posted received(std::size_t index, const MPI_Status& /*status*/) override { return close(index); }
  Posted sent(std::size_t index) override { return close(index); }

  [[nodiscard]] int most_at_work() const { return most_; }

 private:
  [[nodiscard]] bool crosses(std::size_t index) const {
    return machine_.node_of(steps_[index].to) != machine_.node_of(context_.rank());
  }

  Posted close(std::size_t index) {
    if (--open_ == 0 && crosses(index)) watch_.end();
    return {};
  }

  const Context& context_;
  const Machine& machine_;
  std::vector<Step> steps_;
  int tag_;
  Watch watch_;
  int open_ = 0;
  int most_ = 0;
};

TEST(NodesInBlockingMode, HaveOneRankAtATimeAtWorkWithOtherNodes) {
  const std::shared_ptr<Context> context = Context::of(MPI_COMM_WORLD);
  const Machine machine = world_machine();
  const Schedule& schedule = context->schedules.find("node-pairwise", {.mode = Mode::blocking});
  for (int repetition = 0; repetition < 3; ++repetition) {
    const int tag = context->draw_tag();
    WatchedMessages stage_messages(*context, machine, schedule.steps[0], tag);
    run_blocking(schedule.steps[0].size(), stage_messages, *context, schedule.turns[0], tag);
    EXPECT_LE(stage_messages.most_at_work(), 1);
  }
}

}  // namespace
}  // namespace shunt::test
