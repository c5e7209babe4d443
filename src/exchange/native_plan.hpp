// The MPI library's own collective as a planned exchange, so that it can be chosen like any other.
// It is the non-blocking one throughout: MPI does not match it with the blocking one, and one rank
// may execute a plan that another starts and waits for.
#pragma once

#include <vector>

#include <mpi.h>

#include "exchange/blocks.hpp"
#include "exchange/planned_exchange.hpp"

namespace shunt {

class NativePlan final : public PlannedExchange {
 public:
  /// Whether MPI_Alltoallv, with its ints, can make the exchange. The ranks have to agree on it.
  [[nodiscard]] static bool fits(const SendBlocks& send, const ReceiveBlocks& receive);

  /// Requires `fits`.
  NativePlan(std::shared_ptr<YardState> yard, const SendBlocks& send, const ReceiveBlocks& receive);
  ~NativePlan() override;

  bool advance(bool wait) override;

 private:
  bool begin() override;

  const std::byte* send_;
  std::byte* receive_;
  std::vector<int> send_counts_;
  std::vector<int> send_places_;
  std::vector<int> receive_counts_;
  std::vector<int> receive_places_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace shunt
