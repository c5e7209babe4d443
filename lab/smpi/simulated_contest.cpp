#include "lab/smpi/simulated_contest.hpp"

#include <algorithm>

#include <simgrid/s4u.hpp>

#include "lab/smpi/simulated_allgathers.hpp"
#include "lab/smpi/simulated_exchanges.hpp"
#include "mpi_calls/simulated.hpp"

namespace shunt::bench {

namespace {

namespace s4u = simgrid::s4u;

/// Address space for folded payloads, a few MiB of memory again and again: MPI's own algorithms
/// copy a rank's block to itself, so some of it is touched. The kernel grants no more than memory.
constexpr Bytes kFoldedBytes = Bytes{1} << 31;

/// Longer than any rank needs to hear when all begin.
constexpr double kLeadSeconds = 1;

double maximum_of(double value, MPI_Comm comm) {
  double maximum = 0;
  MPI_Allreduce(&value, &maximum, 1, MPI_DOUBLE, MPI_MAX, comm);
  return maximum;
}

/// Returns on all ranks at the same simulated instant, which is returned.
double meet_at_once(MPI_Comm comm) {
  const double instant = maximum_of(s4u::Engine::get_clock(), comm) + kLeadSeconds;
  s4u::this_actor::sleep_until(instant);
  return instant;
}

Mode mode_of(const std::string& name) {
  for (const Mode mode : {Mode::blocking, Mode::single_buffer}) {
    if (name == name_of(mode)) return mode;
  }
  return Mode::dual_buffer;
}

void charge_start_ups(const SimulatedMachine& machine) {
  const auto cost = [inside = machine.memory_start_up, outside = machine.start_up](
                        std::size_t, s4u::Host* from, s4u::Host* to) {
    return from == to ? inside : outside;
  };
  smpi_register_op_cost_callback(SmpiOperation::ISEND, cost);
  smpi_register_op_cost_callback(SmpiOperation::SEND, cost);
}

}  // namespace

void set_up_simulation(MPI_Comm comm, const SimulatedMachine& machine, const SimulationJob& job) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  simulation().copy_per_byte = machine.copy_per_byte;
  // All ranks live in one process: what one of them sets up there is for all.
  if (rank == 0) charge_start_ups(machine);
  if (job.folded) {
    void* memory = rank == 0 ? SMPI_SHARED_MALLOC(kFoldedBytes) : nullptr;
    MPI_Bcast(&memory, sizeof memory, MPI_BYTE, 0, comm);
    simulation().folded = static_cast<std::byte*>(memory);
    simulation().folded_bytes = kFoldedBytes;
  }
  MPI_Barrier(comm);
}

std::unique_ptr<SimulatedContest> SimulatedContest::make(MPI_Comm comm, const SimulationJob& job) {
  if (job.blocks.empty()) return std::make_unique<SimulatedExchanges>(comm, job);
  return std::make_unique<SimulatedAllgathers>(comm, job);
}

double SimulatedContest::time(const SimulatedWay& way) {
  if (way.form.empty()) return time_once(mpi_call(way.algorithm));
  Options options{way.algorithm, mode_of(way.mode), job_.grain, {}};
  options.window.messages = job_.window;
  if (way.form == "plan") {
    Plan planned = plan(options);
    return time_once([&planned] { planned.execute(); });
  }
  // The first one looks at the machine, and keeps what all others use; "auto" learns from more.
  const int warm_up = way.algorithm == "auto" ? job_.warm_up : 1;
  for (int i = 0; i < warm_up; ++i) run_once(options);
  return time_once([&] { run_once(options); });
}

double SimulatedContest::time_once(const std::function<void()>& run) {
  spoil();
  const double begin = meet_at_once(comm_);
  run();
  const double seconds = maximum_of(s4u::Engine::get_clock() - begin, comm_);
  ++end_.exchanges;
  end_.wrong_bytes += wrong_bytes();
  return seconds;
}

SimulationEnd SimulatedContest::end() const {
  SimulationEnd all = end_;
  MPI_Allreduce(&end_.wrong_bytes, &all.wrong_bytes, 1, MPI_INT64_T, MPI_SUM, comm_);
  return all;
}

}  // namespace shunt::bench
