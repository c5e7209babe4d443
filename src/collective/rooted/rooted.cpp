#include "collective/rooted/rooted.hpp"

#include <memory>
#include <utility>

#include <mpi.h>

#include "collective/alltoallv/alltoallv.hpp"
#include "context/blocks.hpp"
#include "engine/native_call.hpp"
#include "engine/native_plan.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "mpi_calls/simulated.hpp"

namespace shunt {

namespace {

/// One rank's sides for a function of MPI, in bytes.
struct RootedSides {
  const std::byte* from;
  const IntBlocks& out;
  std::byte* to;
  const IntBlocks& in;
};

/// Begins MPI's own function; returns null where it is over already. All that it is given stays as
/// it is until it is over.
using PostRooted = MPI_Request (*)(const Context& context, Rank root, const RootedSides& sides);

MPI_Request post_gatherv(const Context& context, Rank root, const RootedSides& sides) {
  const auto own = index_of(root);
  const std::byte* const block = sides.from + sides.out.places[own];
  MPI_Request request = MPI_REQUEST_NULL;
  if constexpr (kSimulated) {
    check_mpi(MPI_Gatherv(block, sides.out.counts[own], MPI_BYTE, sides.to, sides.in.counts.data(),
                          sides.in.places.data(), MPI_BYTE, root, context.comm()),
              "MPI_Gatherv");
    return request;
  }
  check_mpi(MPI_Igatherv(block, sides.out.counts[own], MPI_BYTE, sides.to, sides.in.counts.data(),
                         sides.in.places.data(), MPI_BYTE, root, context.comm(), &request),
            "MPI_Igatherv");
  return request;
}

MPI_Request post_scatterv(const Context& context, Rank root, const RootedSides& sides) {
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

class Rooted final : public Alltoallv {
 public:
  Rooted(const char* name, PostRooted post) : name_(name), post_(post) {}

  [[nodiscard]] const char* name() const override { return name_; }

 protected:
  Counters call_native(const Problem& problem, const SendBlocks& send,
                       const ReceiveBlocks& receive) const override {
    Context& context = *problem.context;
    return call_with_ints(
        context, send, receive, kLargestInt,
        [&](const std::byte* from, const IntBlocks& out, std::byte* to, const IntBlocks& in) {
          return post_(context, problem.root, {from, out, to, in});
        });
  }

  [[nodiscard]] std::unique_ptr<PlannedExchange> plan_native(
      const Problem& problem, const SendBlocks& send, const ReceiveBlocks& receive) const override {
    constexpr const char* kWhat = "a count or displacement of MPI's own collective";
    auto begin = [post = post_, root = problem.root, from = send.base, to = receive.base,
                  out = ints_of(send, kWhat),
                  in = ints_of(receive, kWhat)](const Context& context) {
      return post(context, root, {from, out, to, in});
    };
    return std::make_unique<NativePlan>(problem.context, std::move(begin));
  }

 private:
  const char* name_;
  PostRooted post_;
};

}  // namespace

const Collective& gatherv() {
  static const Rooted kGatherv("gatherv", post_gatherv);
  return kGatherv;
}

const Collective& scatterv() {
  static const Rooted kScatterv("scatterv", post_scatterv);
  return kScatterv;
}

}  // namespace shunt
