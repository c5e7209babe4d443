#include "interpose/packed_call.hpp"

#include "bindings/block_copy.hpp"
#include "bindings/c/sides.hpp"
#include "model/or_nothing.hpp"

namespace shunt::interpose {

PackedCall::Side::Side(const c::SideArguments& given, Rank ranks)
    : element(element_type({given.type, "given"})),
      block_bytes(given.counts[0] * element->size),
      packed(index_of(ranks) * static_cast<std::size_t>(block_bytes)) {
  all.address = address_of(given.buffer);
  all.count = given.counts[0] * ranks;
  all.bytes = std::ssize(packed);
  all.type = element.get();
}

c::SideArguments PackedCall::Side::arguments() const {
  return c::equal_side(packed.data(), block_bytes, MPI_BYTE);
}

PackedCall::PackedCall(const c::Call& call, Rank ranks)
    : call_(call), send_(call.send, ranks), receive_(call.receive, ranks) {
  // What is received too: where less arrives than fits, the rest of the buffer stays as it is.
  for (Side* side : {&send_, &receive_}) {
    if (!side->packed.empty()) pack_block(side->all, side->packed.data());
  }
}

std::optional<PackedCall> PackedCall::of(const c::Call& call) noexcept {
  int ranks = 0;
  if (PMPI_Comm_size(call.comm, &ranks) != MPI_SUCCESS) return std::nullopt;
  if (!c::meets_fault(call, ranks, c::Remedy::packed_copies)) return std::nullopt;
  return or_nothing([&] { return std::optional(PackedCall(call, ranks)); });
}

c::Call PackedCall::call() const {
  return {call_.function,       call_.form, send_.arguments(),
          receive_.arguments(), call_.comm, c::kNoRoot};
}

void PackedCall::unpack() const {
  if (!receive_.packed.empty()) unpack_block(receive_.all, receive_.packed.data());
}

}  // namespace shunt::interpose
