// The MPI library's own collectives as planned exchanges, so that they can be chosen like any
// other. Plans are the non-blocking ones throughout: MPI does not match them with the blocking
// ones, and one rank may execute a plan that another starts and waits for.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include <mpi.h>

#include "context/blocks.hpp"
#include "engine/planned_exchange.hpp"
#include "model/narrow.hpp"

namespace shunt {

/// A collective under way: what it reads and writes must exist until it is over.
class NativeRequest {
 public:
  explicit NativeRequest(MPI_Request posted = MPI_REQUEST_NULL) : request(posted) {}
  /// Waits for it.
  ~NativeRequest();
  NativeRequest(const NativeRequest&) = delete;
  NativeRequest& operator=(const NativeRequest&) = delete;

  MPI_Request request;
};

/// Returns the blocks as MPI's ints. Throws Error(count), naming `what`, where one exceeds them.
template <class Blocks>
[[nodiscard]] IntBlocks ints_of(const Blocks& blocks, const char* what) {
  return {narrow<int>(blocks.bytes, what), narrow<int>(blocks.offsets, what)};
}

class NativePlan final : public PlannedExchange {
 public:
  /// A call of a collective of those ranks, which returns its request.
  using Post = std::function<MPI_Request(const Context& context)>;

  NativePlan(std::shared_ptr<Context> context, Post post)
      : PlannedExchange(std::move(context)), post_(std::move(post)) {}

  bool advance(bool wait) override;

 private:
  bool begin() override;

  Post post_;
  NativeRequest native_;  ///< last: it needs what is posted
};

/// Whether MPI_Alltoallv, with its ints, can make the exchange. The ranks have to agree on it.
[[nodiscard]] bool native_fits(const SendBlocks& send, const ReceiveBlocks& receive);

/// Returns a plan that calls MPI_Ialltoallv. Throws Error(count) unless `native_fits`.
[[nodiscard]] std::unique_ptr<NativePlan> native_alltoallv(std::shared_ptr<Context> context,
                                                           const SendBlocks& send,
                                                           const ReceiveBlocks& receive);

/// Whether MPI_Allgatherv, with its ints, can make the all-gather. The ranks have to agree on it.
[[nodiscard]] bool native_fits(const ReceiveBlocks& receive);

/// Returns a plan that calls MPI_Iallgatherv. Throws Error(count) unless `native_fits`.
[[nodiscard]] std::unique_ptr<NativePlan> native_allgatherv(std::shared_ptr<Context> context,
                                                            const AllgatherBlocks& blocks);

/// Starts MPI_Ialltoallv, whose arguments must not change until it is over.
[[nodiscard]] MPI_Request post_alltoallv(const Context& context, const std::byte* from,
                                         const IntBlocks& out, std::byte* to, const IntBlocks& in);

/// Starts MPI_Iallgatherv, whose arguments must not change until it is over; `own` may lie where it
/// belongs. Or, `at_once`, calls MPI_Allgatherv, which is over on return and drives no other
/// exchange. Throws Error(count) where `own` is longer than an int can say.
[[nodiscard]] MPI_Request post_allgatherv(const Context& context, std::span<const std::byte> own,
                                          std::byte* to, const IntBlocks& in, bool at_once);

}  // namespace shunt
