#include "context/context.hpp"

#include <utility>

#include "mpi_calls/mpi_call.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

constinit const std::shared_ptr<Context> kNoContext;

}  // namespace

const std::shared_ptr<Context>& Context::of(MPI_Comm comm, SetSharing sharing) {
  const KnownCommunicator* known = KnownCommunicator::find_again(comm);
  if (known != nullptr && known->context != nullptr) return known->context;
  if (!mpi_is_running()) throw Error(ErrorKind::communicator, kMpiIsNotRunning);
  if (comm == MPI_COMM_NULL)
    throw Error(ErrorKind::communicator, "the communicator is MPI_COMM_NULL");
  known = KnownCommunicator::find(comm);
  if (known != nullptr && known->context != nullptr) return known->context;

  int inter = 0;
  check_mpi(MPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
  if (inter != 0) {
    throw Error(ErrorKind::communicator,
                "the communicator is an intercommunicator; Shunt exchanges "
                "within one group");
  }
  auto made = std::make_shared<Context>(comm, sharing);
  return KnownCommunicator::of(comm).context = std::move(made);
}

[[gnu::hot]] const std::shared_ptr<Context>& Context::known(MPI_Comm comm) {
  const auto* found = KnownCommunicator::find_again(comm);
  if (found == nullptr && comm != MPI_COMM_NULL && mpi_is_running()) {
    found = KnownCommunicator::find(comm);
  }
  return found != nullptr ? found->context : kNoContext;
}

Context::Context(MPI_Comm comm, SetSharing sharing)
    : set_(ProcessSet::of(comm, threads_share_mpi() ? SetSharing::own : sharing)),
      name_(name_of(comm)),
      progress(*set_),
      topology(comm, *set_, progress),
      tuning(*set_, topology, progress),
      schedules(*set_, topology) {}

std::vector<std::optional<std::int64_t>> Context::drawn() const {
  std::optional<std::int64_t> redistributed;
  if (set_->redistributions() != nullptr) {
    redistributed = static_cast<std::int64_t>(set_->redistributions()->drawn());
  }
  // Who asks first asks all others.
  return {set_->next_tag(), redistributed, topology.knows_machine(), tuning.knows_profile(),
          topology.knows_torus()};
}

const std::shared_ptr<BroadcastBuffers>& Context::kept_broadcast_buffers() {
  if (!set_->broadcast_buffers())
    set_->broadcast_buffers() = make_broadcast_buffers(BroadcastBuffers::kLongestRound);
  return *set_->broadcast_buffers();
}

}  // namespace shunt
