#include "interpose/intercepted_call.hpp"

#include <atomic>
#include <exception>

#include "context/blocks.hpp"
#include "environment/environment.hpp"
#include "interpose/caller.hpp"
#include "interpose/devices.hpp"
#include "interpose/report.hpp"
#include "interpose/strangers.hpp"
#include "model/or_nothing.hpp"
#include "mpi_calls/at_finalize.hpp"
#include "mpi_calls/mpi_call.hpp"

namespace shunt::interpose {

namespace {

enum class Seen { nothing, running, ending };
std::atomic<Seen> seen{Seen::nothing};

/// Whether MPI runs and Shunt is at work. MPI is asked until it runs: where ranks share processors,
/// each answer costs a microsecond of a call.
bool is_running() {
  const Seen known = seen.load(std::memory_order_relaxed);
  if (known == Seen::ending || has_given_back()) return false;
  if (known == Seen::running) return true;
  if (!mpi_is_running()) return false;
  Seen before = Seen::nothing;
  return seen.compare_exchange_strong(before, Seen::running) || before == Seen::running;
}

/// Whether Shunt's own code has led here. An error handler that MPI has called from there may have
/// left it for good; then it is on the stack no more.
bool is_nested() {
  if (inside && !is_called_from_here()) inside = false;
  return inside;
}

/// All ranks find the same, since all of it is known to all or agreed on. Gives `warm_up` where
/// this is one of a communicator's first calls.
Way way_of(const c::Call& call, int& failure, WarmUp*& warm_up) {
  const MPI_Comm comm = call.comm;
  if (!is_running()) return Way::mpi_not_running;
  if (is_nested()) return Way::nested;
  if (environment().disabled) return Way::disabled;
  if (comm == MPI_COMM_NULL) return Way::no_communicator;
  KnownCommunicator* known = KnownCommunicator::find_again(comm);
  if (known != nullptr && known->context != nullptr) return Way::shunt;
  int inter = 0;
  failure = PMPI_Comm_test_inter(comm, &inter);
  if (failure != MPI_SUCCESS) return Way::no_communicator;
  if (inter != 0) return Way::intercommunicator;
  report_misspelt();
  try {
    const Inside now;
    known = &KnownCommunicator::of(comm);
    if (known->context != nullptr) return Way::shunt;
    const Way way = admit(call, known->warm_up);
    if (way == Way::warming_up) warm_up = &known->warm_up;
    return way;
  } catch (const std::exception&) {
    return Way::not_set_up;  // there is no memory to count in
  }
}

bool is_inter(MPI_Comm comm) {
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  return inter != 0;
}

/// Of an exchange on one group of ranks, made by Shunt or, because the user says so, by MPI.
std::shared_ptr<CommunicatorTrace> trace_of(MPI_Comm comm, Way way) noexcept {
  if (way == Way::shunt) return c::trace_of(comm);
  if (way != Way::disabled || comm == MPI_COMM_NULL) return nullptr;
  return or_nothing([&] {
    return is_inter(comm) || has_strangers(comm) ? nullptr : CommunicatorTrace::of(comm);
  });
}

std::size_t peers_of(MPI_Comm comm) {
  int peers = 0;
  if (is_inter(comm)) {
    PMPI_Comm_remote_size(comm, &peers);
  } else {
    PMPI_Comm_size(comm, &peers);
  }
  return static_cast<std::size_t>(peers);
}

bool is_root(const c::Call& call) {
  if (is_inter(call.comm)) return call.root == MPI_ROOT;
  int rank = 0;
  PMPI_Comm_rank(call.comm, &rank);
  return call.root == rank;
}

/// What this rank moves, its message to itself included. Requires that MPI has accepted the
/// arguments.
Traffic traffic_of(const c::Call& given) noexcept {
  // There may be no memory to count by.
  return or_nothing([&] {
    const c::Call call = given.has_root() ? c::significant_part(given, is_root(given)) : given;
    const std::size_t peers = peers_of(call.comm);
    return Traffic{total_bytes(c::sent_bytes(call, peers)),
                   total_bytes(c::bytes_by_peer(call.receive, peers))};
  });
}

/// What SHUNT_VERBOSE says of the first call.
void announce(Way way) noexcept {
  if (way != Way::mpi_not_running) return report_first_use();
  if (seen.load(std::memory_order_relaxed) == Seen::nothing) report_no_init();
}

}  // namespace

void expect_end() { seen = Seen::ending; }

[[gnu::hot]] InterceptedCall::InterceptedCall(const c::Call& call, const void* caller)
    : call_(call), caller_(caller), way_(way_of(call, failure_, warm_up_)) {
  const Inside now;
  if (environment().verbose) announce(way_);
  if (is_traced()) trace_.emplace(trace_of(call.comm, way_));
  if (is_recorded() || warm_up_ != nullptr) begin_ = std::chrono::steady_clock::now();
}

[[gnu::hot]] bool InterceptedCall::make(std::optional<TunedCall>& tuned, c::Failure& failure) {
  const Inside now;
  bool is_on_device = false;
  if (!make_beside_devices(call_, tuned, is_on_device, failure)) return false;
  if (tuned && tuned->is_left_to_caller()) way_ = Way::chosen;
  if (is_on_device) way_ = Way::device_memory;
  return true;
}

[[gnu::hot]] void InterceptedCall::end(int code) noexcept {
  if (trace_ && code == MPI_SUCCESS) c::record_success(*trace_, call_);
  if (warm_up_ == nullptr && (way_ == Way::mpi_not_running || !is_recorded())) return;
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin_;
  if (warm_up_ != nullptr) warm_up_->seconds += time.count();
  if (!is_recorded()) return;
  Tally tally;
  tally.calls[static_cast<std::size_t>(way_)] = 1;
  tally.seconds = time.count();
  if (code == MPI_SUCCESS) {
    tally.traffic = traffic_of(call_);
  } else {
    tally.failed = 1;
  }
  record(call_.function, caller_in_program(caller_), tally);
}

}  // namespace shunt::interpose
