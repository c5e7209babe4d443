// Collectives with a root, as all-to-alls of which one rank has all blocks.
#pragma once

#include <memory>

#include <mpi.h>

#include "collective/alltoallv/alltoallv.hpp"
#include "context/blocks.hpp"

namespace shunt {

/// One rank's sides for a function of MPI, in bytes.
struct RootedSides {
  const std::byte* from;
  const IntBlocks& out;
  std::byte* to;
  const IntBlocks& in;
};

class Rooted : public Alltoallv {
 protected:
  Counters call_native(const Problem& problem, const SendBlocks& send,
                       const ReceiveBlocks& receive) const final;
  [[nodiscard]] std::unique_ptr<PlannedExchange> plan_native(
      const Problem& problem, const SendBlocks& send, const ReceiveBlocks& receive) const final;

  /// Begins MPI's own function; null where it is over already. All that it is given stays as it is
  /// until it is over.
  [[nodiscard]] virtual MPI_Request post(const Context& context, Rank root,
                                         const RootedSides& sides) const = 0;
};

}  // namespace shunt
