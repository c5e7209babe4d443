// The all-gathers of the C++ interface.
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "bindings/agreed.hpp"
#include "bindings/byte_blocks.hpp"
#include "bindings/named_options.hpp"
#include "bindings/plan_implementation.hpp"
#include "bindings/side_parts.hpp"
#include "collective/allgatherv/allgatherv.hpp"
#include "context/device_memory.hpp"
#include "shunt/communicator.hpp"

namespace shunt {

namespace {

/// What a rank has for all others.
SendBlocks own_block(std::span<const std::byte> send) {
  expect_host_memory(send.data(), "send");
  return {send.data(), {std::ssize(send)}, {0}};
}

}  // namespace

Counters Communicator::allgatherv_bytes(std::span<const std::byte> send,
                                        std::span<std::byte> receive, const Layout& receive_layout,
                                        std::size_t element, const Options& asked) {
  const NamedOptions options(asked);
  ReceiveBlocks& in = state_->scratch.receive_blocks;
  std::span<const std::byte> own;
  bool can_receive = false;
  const auto read = [&] {
    read_blocks(in, receive, receive_layout, element, ranks());
    can_receive = true;
    expect_host_memory(send.data(), "send");
    own = send;
    expect_own_block(rank(), std::ssize(send), in.bytes[index_of(rank())]);
  };
  // The others get what they expect, if that is known.
  const auto leave_out = [&] {
    if (!can_receive) clear_blocks(in, ranks());
    own = in.span(index_of(rank()));
  };
  return take_part(read, leave_out, [&] {
    const SendBlocks mine = own_block(own);
    PlainParts buffers(&mine, &in);
    return run_traced({shunt::allgatherv(), state_, options}, "allgatherv", buffers);
  });
}

Counters Communicator::allgatherv(const void* send, Count send_count, MPI_Datatype send_type,
                                  void* receive, const Layout& receive_layout,
                                  MPI_Datatype receive_type, const Options& asked) {
  const NamedOptions options(asked);
  TypedSide out = no_blocks("send", 1);
  TypedSide in = no_blocks("receive", ranks());
  std::size_t own = 0;
  const auto read = [&] {
    in = typed_side(receive, receive_layout, receive_type, ranks(), "receive");
    out = typed_block(send, send_count, send_type);
    expect_own_block(rank(), out.blocks()[0].bytes, in.blocks()[index_of(rank())].bytes);
  };
  // The others get what they expect, if that is known.
  const auto leave_out = [&] {
    own = index_of(rank());
    out = in.without([&](Rank peer) { return peer != rank(); });
  };
  return take_part(read, leave_out, [&] {
    TypedParts sides(std::move(out), std::move(in));
    return run_traced(
        {.kind = shunt::allgatherv(), .context = state_, .options = options, .own = own},
        "allgatherv", sides);
  });
}

Plan Communicator::plan_allgatherv_bytes(std::span<const std::byte> send,
                                         std::span<std::byte> receive, const Layout& receive_layout,
                                         std::size_t element, const Options& asked) {
  return plan_read(shunt::allgatherv(), state_, asked, "plan_allgatherv", [&] {
    ReceiveBlocks in;
    read_blocks(in, receive, receive_layout, element, ranks());
    return std::make_unique<PlainParts>(own_block(send), std::move(in));
  });
}

Plan Communicator::plan_allgatherv(const void* send, Count send_count, MPI_Datatype send_type,
                                   void* receive, const Layout& receive_layout,
                                   MPI_Datatype receive_type, const Options& asked) {
  return plan_read(shunt::allgatherv(), state_, asked, "plan_allgatherv", [&] {
    TypedSide in = typed_side(receive, receive_layout, receive_type, ranks(), "receive");
    return std::make_unique<TypedParts>(typed_block(send, send_count, send_type), std::move(in));
  });
}

RawBuffer Communicator::allgather_bytes(std::span<const std::byte> mine, std::size_t alignment,
                                        const Options& options, std::vector<Bytes>& lengths) {
  const auto own = std::ssize(mine);
  lengths.resize(static_cast<std::size_t>(ranks()));
  Options short_blocks = options;
  short_blocks.algorithm = kAuto;
  const std::vector<Bytes> ones(lengths.size(), 1);
  allgatherv(std::span<const Bytes>(&own, 1), std::span<Bytes>(lengths), Layout::packed(ones),
             short_blocks);
  const Layout layout = Layout::packed(lengths);
  RawBuffer all(alignment);
  std::byte* const place =
      all.extend(static_cast<std::size_t>(layout.displacements.back() + layout.counts.back()));
  allgatherv(mine, std::span(place, all.size()), layout, options);
  return all;
}

}  // namespace shunt
