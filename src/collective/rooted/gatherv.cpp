#include "collective/rooted/gatherv.hpp"

#include "collective/rooted/rooted.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "mpi_calls/simulated.hpp"

namespace shunt {

namespace {

class Gatherv final : public Rooted {
 public:
  [[nodiscard]] const char* name() const override { return "gatherv"; }

 protected:
  [[nodiscard]] MPI_Request post(const Context& context, Rank root,
                                 const RootedSides& sides) const override {
    const auto own = index_of(root);
    const std::byte* const block = sides.from + sides.out.places[own];
    MPI_Request request = MPI_REQUEST_NULL;
    if constexpr (kSimulated) {
      check_mpi(
          MPI_Gatherv(block, sides.out.counts[own], MPI_BYTE, sides.to, sides.in.counts.data(),
                      sides.in.places.data(), MPI_BYTE, root, context.comm()),
          "MPI_Gatherv");
      return request;
    }
    check_mpi(MPI_Igatherv(block, sides.out.counts[own], MPI_BYTE, sides.to, sides.in.counts.data(),
                           sides.in.places.data(), MPI_BYTE, root, context.comm(), &request),
              "MPI_Igatherv");
    return request;
  }
};

}  // namespace

const Collective& gatherv() {
  static const Gatherv kGatherv;
  return kGatherv;
}

}  // namespace shunt
