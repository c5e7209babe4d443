// The MPI library's own collectives as planned exchanges, so that they can be chosen like any
// other. Plans are the non-blocking ones throughout: MPI does not match them with the blocking
// ones, and one rank may execute a plan that another starts and waits for.
#pragma once

#include <functional>
#include <memory>

#include <mpi.h>

#include "exchange/blocks.hpp"
#include "exchange/planned_exchange.hpp"

namespace shunt {

class NativePlan final : public PlannedExchange {
 public:
  /// A call of a collective on that communicator, which returns its request.
  using Post = std::function<MPI_Request(MPI_Comm comm)>;

  NativePlan(std::shared_ptr<YardState> yard, Post post);
  ~NativePlan() override;

  bool advance(bool wait) override;

 private:
  bool begin() override;

  Post post_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Whether MPI_Alltoallv, with its ints, can make the exchange. The ranks have to agree on it.
[[nodiscard]] bool native_fits(const SendBlocks& send, const ReceiveBlocks& receive);

/// MPI_Ialltoallv. Throws Error(count) unless `native_fits`.
[[nodiscard]] std::unique_ptr<NativePlan> native_alltoallv(std::shared_ptr<YardState> yard,
                                                           const SendBlocks& send,
                                                           const ReceiveBlocks& receive);

/// The same for MPI_Allgatherv.
[[nodiscard]] bool native_fits(const ReceiveBlocks& receive);

/// MPI_Iallgatherv. Throws Error(count) unless `native_fits`.
[[nodiscard]] std::unique_ptr<NativePlan> native_allgatherv(std::shared_ptr<YardState> yard,
                                                            const BroadcastBlocks& blocks);

/// MPI_Allgatherv, which helps no other exchange along. Throws Error(count) unless `native_fits`.
void run_native_allgatherv(const YardState& yard, const BroadcastBlocks& blocks);

}  // namespace shunt
