#include "engine/native_plan.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "model/narrow.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "mpi_calls/simulated.hpp"

namespace shunt {

namespace {

bool all_fit(const std::vector<Bytes>& values) {
  return std::ranges::all_of(values, [](Bytes value) { return std::in_range<int>(value); });
}

}  // namespace

NativeRequest::~NativeRequest() {
  if (request != MPI_REQUEST_NULL && mpi_is_running()) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

bool NativePlan::begin() {
  native_.request = post_(context());
  return true;
}

bool NativePlan::advance(bool wait) {
  int over = 1;
  if (wait) {
    check_mpi(MPI_Wait(&native_.request, MPI_STATUS_IGNORE), "MPI_Wait");
  } else {
    check_mpi(MPI_Test(&native_.request, &over, MPI_STATUS_IGNORE), "MPI_Test");
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

std::unique_ptr<NativePlan> native_alltoallv(std::shared_ptr<Context> context,
                                             const SendBlocks& send, const ReceiveBlocks& receive) {
  constexpr const char* kWhat = "a count or displacement of MPI_Alltoallv";
  auto post = [from = send.base, to = receive.base, out = ints_of(send, kWhat),
               in = ints_of(receive, kWhat)](const Context& state) {
    return post_alltoallv(state, from, out, to, in);
  };
  return std::make_unique<NativePlan>(std::move(context), std::move(post));
}

std::unique_ptr<NativePlan> native_allgatherv(std::shared_ptr<Context> context,
                                              const AllgatherBlocks& blocks) {
  auto post = [own = blocks.own, to = blocks.receive.base,
               in = ints_of(blocks.receive, "a count or displacement of MPI_Allgatherv")](
                  const Context& state) { return post_allgatherv(state, own, to, in, false); };
  return std::make_unique<NativePlan>(std::move(context), std::move(post));
}

MPI_Request post_alltoallv(const Context& context, const std::byte* from, const IntBlocks& out,
                           std::byte* to, const IntBlocks& in) {
  MPI_Request request = MPI_REQUEST_NULL;
  if constexpr (kSimulated) {
    // SMPI's non-blocking one begins all messages at once, whatever it was told to take.
    check_mpi(MPI_Alltoallv(from, out.counts.data(), out.places.data(), MPI_BYTE, to,
                            in.counts.data(), in.places.data(), MPI_BYTE, context.comm()),
              "MPI_Alltoallv");
    return request;
  }
  check_mpi(MPI_Ialltoallv(from, out.counts.data(), out.places.data(), MPI_BYTE, to,
                           in.counts.data(), in.places.data(), MPI_BYTE, context.comm(), &request),
            "MPI_Ialltoallv");
  return request;
}

MPI_Request post_allgatherv(const Context& context, std::span<const std::byte> own, std::byte* to,
                            const IntBlocks& in, bool at_once) {
  static constexpr int kAtBase = 0;
  std::byte* const place = to + in.places[static_cast<std::size_t>(context.rank())];
  const void* const from = own.data() == place ? MPI_IN_PLACE : own.data();
  const int bytes = narrow<int>(own.size(), "the count of MPI_Allgatherv");
  const int* places = in.places.data();
  // MPICH 4.0 takes no notice of the displacement of a rank that is alone.
  if (context.ranks() == 1) {
    to = place;
    places = &kAtBase;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  if (at_once) {
    // By the name of the profiling interface: the other may be that of the preloaded library.
    check_mpi(PMPI_Allgatherv(from, bytes, MPI_BYTE, to, in.counts.data(), places, MPI_BYTE,
                              context.comm()),
              "MPI_Allgatherv");
    return request;
  }
  check_mpi(MPI_Iallgatherv(from, bytes, MPI_BYTE, to, in.counts.data(), places, MPI_BYTE,
                            context.comm(), &request),
            "MPI_Iallgatherv");
  return request;
}

}  // namespace shunt
