// The broadcasts of the C++ interface.
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "bindings/broadcast_calls.hpp"
#include "bindings/byte_blocks.hpp"
#include "bindings/plan_implementation.hpp"
#include "bindings/trace/traced_call.hpp"
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

/// What a trace records of a broadcast: the length of the own block.
std::vector<Bytes> recorded(const BroadcastBlocks& blocks) { return {std::ssize(blocks.own)}; }

}  // namespace

Counters Yard::allgatherv_bytes(std::span<const std::byte> send, std::span<std::byte> receive,
                                const Layout& receive_layout, std::size_t element,
                                const Options& options) {
  BroadcastBlocks blocks{send, {}};
  read_blocks(blocks.receive, receive, receive_layout, element, ranks());
  return traced(
      *state_, "allgatherv", RowKind::broadcast, [&] { return recorded(blocks); },
      [&] { return broadcast_blocks(state_, options, blocks); });
}

Counters Yard::allgatherv(const void* send, Bytes send_count, MPI_Datatype send_type, void* receive,
                          const Layout& receive_layout, MPI_Datatype receive_type,
                          const Options& options) {
  const TypedBroadcast typed(send, send_count, send_type,
                             typed_side(receive, receive_layout, receive_type, ranks(), "receive"));
  const BroadcastBlocks blocks = typed.blocks();
  const auto make = [&] {
    typed.send->pack();
    Counters counters = broadcast_blocks(state_, options, blocks);
    typed.receive->unpack();
    return counters;
  };
  return traced(
      *state_, "allgatherv", RowKind::broadcast, [&] { return recorded(blocks); }, make);
}

Plan Yard::plan_allgatherv_bytes(std::span<const std::byte> send, std::span<std::byte> receive,
                                 const Layout& receive_layout, std::size_t element,
                                 const Options& options) {
  BroadcastBlocks blocks{send, {}};
  read_blocks(blocks.receive, receive, receive_layout, element, ranks());
  auto plan =
      std::make_unique<Plan::Implementation>(state_, plan_broadcast(state_, options, blocks));
  plan->trace = TracedPlan(*state_, "plan_allgatherv", recorded(blocks), RowKind::broadcast);
  return Plan(std::move(plan));
}

Plan Yard::plan_allgatherv(const void* send, Bytes send_count, MPI_Datatype send_type,
                           void* receive, const Layout& receive_layout, MPI_Datatype receive_type,
                           const Options& options) {
  TypedBroadcast typed(send, send_count, send_type,
                       typed_side(receive, receive_layout, receive_type, ranks(), "receive"));
  const std::vector<Bytes> sent = recorded(typed.blocks());
  PlannedBlocks planned = plan_broadcast(state_, options, typed.blocks());
  auto plan = std::make_unique<Plan::Implementation>(
      state_, std::make_unique<TypedPacking>(std::move(typed.send), std::move(typed.receive)),
      std::move(planned));
  plan->trace = TracedPlan(*state_, "plan_allgatherv", sent, RowKind::broadcast);
  return Plan(std::move(plan));
}

RawBuffer Yard::broadcast_bytes(std::span<const std::byte> mine, const Options& options,
                                std::vector<Bytes>& lengths) {
  const auto own = std::ssize(mine);
  lengths.resize(static_cast<std::size_t>(ranks()));
  Options short_blocks = options;
  short_blocks.algorithm = kAuto;
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
