#include "exchange/native_plan.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "exchange/mpi_call.hpp"
#include "exchange/simulated.hpp"
#include "model/narrow.hpp"

namespace shunt {

namespace {

bool all_fit(const std::vector<Bytes>& values) {
  return std::ranges::all_of(values, [](Bytes value) { return std::in_range<int>(value); });
}

/// Counts and displacements of one side as MPI takes them.
struct IntLayout {
  template <class Blocks>
  IntLayout(const Blocks& blocks, const char* what)
      : counts(narrow<int>(blocks.bytes, what)), places(narrow<int>(blocks.offsets, what)) {}

  std::vector<int> counts;
  std::vector<int> places;
};

/// What MPI_Allgatherv is called with.
struct AllgathervArguments {
  const void* from;
  int bytes;
  void* to;
  IntLayout in;
};

AllgathervArguments allgatherv_arguments(const YardState& yard, const BroadcastBlocks& blocks) {
  auto [own, receive] = blocks;
  std::byte* const place = receive.block(static_cast<std::size_t>(yard.rank()));
  if (yard.ranks() == 1) {
    // MPICH 4.0 takes no notice of the displacement there.
    receive.base = place;
    receive.offsets = {0};
  }
  return {own.data() == place ? MPI_IN_PLACE : own.data(),
          narrow<int>(own.size(), "the count of MPI_Allgatherv"), receive.base,
          IntLayout(receive, "a count or displacement of MPI_Allgatherv")};
}

}  // namespace

NativePlan::NativePlan(std::shared_ptr<YardState> yard, Post post)
    : PlannedExchange(std::move(yard)), post_(std::move(post)) {}

NativePlan::~NativePlan() {
  if (request_ != MPI_REQUEST_NULL && mpi_is_running()) MPI_Wait(&request_, MPI_STATUS_IGNORE);
}

bool NativePlan::begin() {
  request_ = post_(yard().comm());
  return true;
}

bool NativePlan::advance(bool wait) {
  int over = 1;
  if (wait) {
    check_mpi(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait");
  } else {
    check_mpi(MPI_Test(&request_, &over, MPI_STATUS_IGNORE), "MPI_Test");
  }
  if (over == 0) return false;
  finish();
  return true;
}

bool native_fits(const SendBlocks& send, const ReceiveBlocks& receive) {
  return all_fit(send.bytes) && all_fit(send.offsets) && native_fits(receive);
}

bool native_fits(const ReceiveBlocks& receive) {
  return all_fit(receive.bytes) && all_fit(receive.offsets);
}

std::unique_ptr<NativePlan> native_alltoallv(std::shared_ptr<YardState> yard,
                                             const SendBlocks& send, const ReceiveBlocks& receive) {
  constexpr const char* kWhat = "a count or displacement of MPI_Alltoallv";
  auto post = [from = send.base, to = receive.base, out = IntLayout(send, kWhat),
               in = IntLayout(receive, kWhat)](MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    if constexpr (kSimulated) {
      // SMPI's non-blocking one begins all messages at once, whatever it was told to take.
      check_mpi(MPI_Alltoallv(from, out.counts.data(), out.places.data(), MPI_BYTE, to,
                              in.counts.data(), in.places.data(), MPI_BYTE, comm),
                "MPI_Alltoallv");
      return request;
    }
    check_mpi(MPI_Ialltoallv(from, out.counts.data(), out.places.data(), MPI_BYTE, to,
                             in.counts.data(), in.places.data(), MPI_BYTE, comm, &request),
              "MPI_Ialltoallv");
    return request;
  };
  return std::make_unique<NativePlan>(std::move(yard), std::move(post));
}

std::unique_ptr<NativePlan> native_allgatherv(std::shared_ptr<YardState> yard,
                                              const BroadcastBlocks& blocks) {
  auto post = [arguments = allgatherv_arguments(*yard, blocks)](MPI_Comm comm) {
    const auto& [from, bytes, to, in] = arguments;
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Iallgatherv(from, bytes, MPI_BYTE, to, in.counts.data(), in.places.data(),
                              MPI_BYTE, comm, &request),
              "MPI_Iallgatherv");
    return request;
  };
  return std::make_unique<NativePlan>(std::move(yard), std::move(post));
}

void run_native_allgatherv(const YardState& yard, const BroadcastBlocks& blocks) {
  const auto [from, bytes, to, in] = allgatherv_arguments(yard, blocks);
  // By the name of the profiling interface: the other may be that of the preloaded library.
  check_mpi(PMPI_Allgatherv(from, bytes, MPI_BYTE, to, in.counts.data(), in.places.data(), MPI_BYTE,
                            yard.comm()),
            "MPI_Allgatherv");
}

}  // namespace shunt
