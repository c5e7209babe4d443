#include "simulated_broadcasts.hpp"

#include <algorithm>

#include "exchange/simulated.hpp"
#include "model/narrow.hpp"

namespace shunt::bench {

namespace {

constexpr std::byte kPoison{0xA5};
constexpr const char* kWhat = "a count or displacement of MPI_Allgatherv";

std::byte byte_of(Rank source, Bytes place) {
  const auto mixed = static_cast<std::uint64_t>(source) * 0x9E3779B97F4A7C15ULL ^
                     static_cast<std::uint64_t>(place) * 0x165667B19E3779F9ULL;
  return static_cast<std::byte>(mixed >> 53);
}

}  // namespace

SimulatedBroadcasts::SimulatedBroadcasts(MPI_Comm comm, const SimulationJob& job)
    : SimulatedContest(comm, job) {
  std::vector<Bytes> lengths(static_cast<std::size_t>(yard_.ranks()), 0);
  for (const Rank source : job.sources) lengths[static_cast<std::size_t>(source)] = job.length;
  const auto own = static_cast<std::size_t>(lengths[static_cast<std::size_t>(yard_.rank())]);
  const std::size_t all = job.sources.size() * static_cast<std::size_t>(job.length);
  layout_ = Layout::packed(lengths);
  if (std::byte* const folded = simulation().folded; folded != nullptr) {
    send_ = {folded, own};
    receive_ = {folded + own, all};
    return;
  }
  sent_.resize(own);
  for (std::size_t i = 0; i < own; ++i) sent_[i] = byte_of(yard_.rank(), static_cast<Bytes>(i));
  received_.resize(all);
  send_ = sent_;
  receive_ = received_;
}

Plan SimulatedBroadcasts::plan(const Options& options) {
  return yard_.plan_allgatherv(send_, receive_, layout_, options);
}

void SimulatedBroadcasts::run_once(const Options& options) {
  yard_.allgatherv(send_, receive_, layout_, options);
}

std::function<void()> SimulatedBroadcasts::mpi_call(const std::string& name) {
  const int own = narrow<int>(std::ssize(send_), "a count of MPI_Allgatherv");
  if (name == "allgather") {
    return [this, own] {
      MPI_Allgather(send_.data(), own, MPI_BYTE, receive_.data(), own, MPI_BYTE, comm());
    };
  }
  return [this, own, counts = narrow<int>(layout_.counts, kWhat),
          offsets = narrow<int>(layout_.displacements, kWhat)] {
    MPI_Allgatherv(send_.data(), own, MPI_BYTE, receive_.data(), counts.data(), offsets.data(),
                   MPI_BYTE, comm());
  };
}

void SimulatedBroadcasts::spoil() { std::ranges::fill(received_, kPoison); }

Bytes SimulatedBroadcasts::wrong_bytes() const {
  if (received_.empty()) return 0;
  Bytes wrong = 0;
  for (Rank source = 0; source < yard_.ranks(); ++source) {
    const auto k = static_cast<std::size_t>(source);
    const std::byte* const block = received_.data() + layout_.displacements[k];
    for (Bytes i = 0; i < layout_.counts[k]; ++i) {
      if (block[i] != byte_of(source, i)) ++wrong;
    }
  }
  return wrong;
}

}  // namespace shunt::bench
