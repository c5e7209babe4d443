// The broadcasts of the C++ interface.
#include <utility>

#include "bindings/broadcast_calls.hpp"
#include "bindings/byte_blocks.hpp"
#include "bindings/plan_implementation.hpp"
#include "bindings/typed_blocks.hpp"
#include "shunt/yard.hpp"

namespace shunt {

namespace {

/// Typed blocks of a broadcast.
struct TypedBroadcast {
  TypedBroadcast(const void* data, Bytes count, MPI_Datatype type, TypedSide side)
      : send(std::make_unique<TypedBlocks>(typed_block(data, count, type))),
        receive(std::make_unique<TypedBlocks>(std::move(side))) {}

  [[nodiscard]] BroadcastBlocks blocks() const {
    return {send->to_send().span(0), receive->to_receive()};
  }

  std::unique_ptr<TypedBlocks> send;
  std::unique_ptr<TypedBlocks> receive;
};

}  // namespace

Counters Yard::allgatherv_bytes(std::span<const std::byte> send, std::span<std::byte> receive,
                                const Layout& receive_layout, std::size_t element,
                                const Options& options) {
  BroadcastBlocks blocks{send, {}};
  read_blocks(blocks.receive, receive, receive_layout, element, ranks());
  return broadcast_blocks(state_, options, blocks);
}

Counters Yard::allgatherv(const void* send, Bytes send_count, MPI_Datatype send_type, void* receive,
                          const Layout& receive_layout, MPI_Datatype receive_type,
                          const Options& options) {
  const TypedBroadcast typed(send, send_count, send_type,
                             typed_side(receive, receive_layout, receive_type, ranks(), "receive"));
  typed.send->pack();
  Counters counters = broadcast_blocks(state_, options, typed.blocks());
  typed.receive->unpack();
  return counters;
}

Plan Yard::plan_allgatherv_bytes(std::span<const std::byte> send, std::span<std::byte> receive,
                                 const Layout& receive_layout, std::size_t element,
                                 const Options& options) {
  BroadcastBlocks blocks{send, {}};
  read_blocks(blocks.receive, receive, receive_layout, element, ranks());
  return Plan(
      std::make_unique<Plan::Implementation>(state_, plan_broadcast(state_, options, blocks)));
}

Plan Yard::plan_allgatherv(const void* send, Bytes send_count, MPI_Datatype send_type,
                           void* receive, const Layout& receive_layout, MPI_Datatype receive_type,
                           const Options& options) {
  TypedBroadcast typed(send, send_count, send_type,
                       typed_side(receive, receive_layout, receive_type, ranks(), "receive"));
  PlannedBlocks planned = plan_broadcast(state_, options, typed.blocks());
  return Plan(std::make_unique<Plan::Implementation>(state_, std::move(typed.send),
                                                     std::move(typed.receive), std::move(planned)));
}

RawBuffer Yard::broadcast_bytes(std::span<const std::byte> mine, const Options& options,
                                std::vector<Bytes>& lengths) {
  const auto own = std::ssize(mine);
  lengths.resize(static_cast<std::size_t>(ranks()));
  Options short_blocks = options;
  short_blocks.algorithm = "br-dissemination";
  const std::vector<Bytes> ones(lengths.size(), 1);
  allgatherv(std::span<const Bytes>(&own, 1), std::span<Bytes>(lengths), Layout::packed(ones),
             short_blocks);
  const Layout layout = Layout::packed(lengths);
  RawBuffer all;
  std::byte* const place =
      all.extend(static_cast<std::size_t>(layout.displacements.back() + layout.counts.back()));
  allgatherv(mine, std::span(place, all.size()), layout, options);
  return all;
}

}  // namespace shunt
