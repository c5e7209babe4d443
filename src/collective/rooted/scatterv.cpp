#include "collective/rooted/scatterv.hpp"

#include "collective/rooted/rooted.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "mpi_calls/simulated.hpp"

namespace shunt {

namespace {

class Scatterv final : public Rooted {
 public:
  [[nodiscard]] const char* name() const override { return "scatterv"; }

 protected:
  [[nodiscard]] MPI_Request post(const Context& context, Rank root,
                                 const RootedSides& sides) const override {
    const auto own = index_of(root);
    std::byte* const block = sides.to + sides.in.places[own];
    MPI_Request request = MPI_REQUEST_NULL;
    if constexpr (kSimulated) {
      check_mpi(MPI_Scatterv(sides.from, sides.out.counts.data(), sides.out.places.data(), MPI_BYTE,
                             block, sides.in.counts[own], MPI_BYTE, root, context.comm()),
                "MPI_Scatterv");
      return request;
    }
    check_mpi(MPI_Iscatterv(sides.from, sides.out.counts.data(), sides.out.places.data(), MPI_BYTE,
                            block, sides.in.counts[own], MPI_BYTE, root, context.comm(), &request),
              "MPI_Iscatterv");
    return request;
  }
};

}  // namespace

const Collective& scatterv() {
  static const Scatterv kScatterv;
  return kScatterv;
}

}  // namespace shunt
