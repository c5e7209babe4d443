#include "context/progress.hpp"

#include <thread>

#include "model/narrow.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "mpi_calls/simulated.hpp"

namespace shunt {

namespace {

std::vector<ActiveRun*>& runs_of_all_communicators() {
  static std::vector<ActiveRun*> runs;
  return runs;
}

/// Takes some tens of cycles, in which a peer can write to the cache line that this rank looks at.
void rest() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

bool threads_share_mpi() {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  return level == MPI_THREAD_MULTIPLE;
}

Progress::Progress(ProcessSet& set)
    : active(threads_share_mpi() ? own_runs_ : runs_of_all_communicators()), set_(set) {}

void Progress::progress_active() const noexcept {
  // A run that ends takes itself off the list.
  for (std::size_t k = 0; k < active.size();) {
    ActiveRun* const run = active[k];
    run->progress();
    if (k < active.size() && active[k] == run) ++k;
  }
}

void Progress::poll() const {
  // Where every rank has a processor, looking again at once finds most messages; giving it up takes
  // longer, and a look into MPI too.
  constexpr unsigned kLooksWhereCrowded = 32;
  constexpr unsigned kLooks = 128;
  constexpr unsigned kLooksBeforeYield = 1024;
  ++idle_;
  const bool crowded = set_.node().crowded();
  if (idle_ % (crowded ? kLooksWhereCrowded : kLooks) == 0) look();
  if (crowded || idle_ % kLooksBeforeYield == 0) {
    std::this_thread::yield();
  } else {
    rest();
  }
}

void Progress::look() const {
  int found = 0;
  check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, set_.comm(), &found, MPI_STATUS_IGNORE),
            "MPI_Iprobe");
}

void Progress::complete(std::span<MPI_Request> requests) const {
  if (requests.empty()) return;
  const auto count = static_cast<int>(requests.size());
  advance_to_end([&](bool wait) {
    int through = 1;
    if (wait) {
      check_mpi(MPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    } else {
      check_mpi(MPI_Testall(count, requests.data(), &through, MPI_STATUSES_IGNORE), "MPI_Testall");
    }
    return through != 0;
  });
}

std::vector<Bytes> Progress::allgather_on_node(Bytes mine) const {
  const std::uint64_t number = set_.draw_announcement();
  Node& here = set_.node();
  here.announce(number, mine);
  std::vector<Bytes> announced;
  advance_to_end([&](bool wait) {
    while (announced.size() < here.ranks().size()) {
      const std::optional<Bytes> offset = here.announced(announced.size(), number);
      if (!offset) {
        if (wait) poll();
        return false;
      }
      announced.push_back(*offset);
    }
    return true;
  });
  return announced;
}

void Progress::reduce(const void* own, void* all, int count, MPI_Datatype type,
                      MPI_Op operation) const {
  if constexpr (kSimulated) {
    // As in Topology::machine, and "auto" tries its candidates with many of them.
    check_mpi(MPI_Allreduce(own, all, count, type, operation, set_.comm()), "MPI_Allreduce");
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallreduce(own, all, count, type, operation, set_.comm(), &request),
            "MPI_Iallreduce");
  complete(request);
}

std::string Progress::broadcast_text(std::string own) const {
  const auto tell = [this](void* data, int bytes) {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Ibcast(data, bytes, MPI_BYTE, 0, set_.comm(), &request), "MPI_Ibcast");
    complete(request);
  };
  auto length = narrow<int>(own.size(), "the length of a text for all ranks");
  tell(&length, sizeof length);
  own.resize(static_cast<std::size_t>(length));
  if (length > 0) tell(own.data(), length);
  return own;
}

}  // namespace shunt
