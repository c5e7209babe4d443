#include "bindings/c/dense_blocks.hpp"

#include <algorithm>
#include <optional>

namespace shunt::c {

namespace {

/// Addresses between which the data of one side lies. No data end below 0.
struct Reach {
  Bytes begin = 0;
  Bytes end = -1;

  void include(Bytes from, Bytes to) {
    begin = is_empty() ? from : std::min(begin, from);
    end = std::max(end, to);
  }
  [[nodiscard]] bool is_empty() const { return end < 0; }
};

/// False where something does not fit into 64 bits, or is negative that must not be.
template <class Blocks>
bool read_side(const SideArguments& given, Bytes size, Rank ranks, Blocks& blocks, Reach& reach) {
  const bool equal = given.displacements.is_null();
  blocks.bytes.resize(static_cast<std::size_t>(ranks));
  blocks.offsets.resize(static_cast<std::size_t>(ranks));
  Bytes total = 0;
  for (std::size_t k = 0; k < blocks.bytes.size(); ++k) {
    Bytes bytes = 0;
    Bytes offset = 0;
    if (given.has_block(k) && !given.counts.bytes(k, size, bytes)) return false;
    if (bytes > 0) {
      const Bytes unit = equal ? bytes : size;
      const Bytes place = given.shape == Shape::single ? 0
                          : equal                      ? static_cast<Bytes>(k)
                                                       : given.displacements[k];
      Bytes begin = 0;
      Bytes end = 0;
      if (__builtin_mul_overflow(place, unit, &offset) ||
          __builtin_add_overflow(address_of(given.buffer), offset, &begin) ||
          __builtin_add_overflow(begin, bytes, &end) ||
          __builtin_add_overflow(total, bytes, &total)) {
        return false;
      }
      reach.include(begin, end);
    }
    blocks.bytes[k] = bytes;
    blocks.offsets[k] = offset;
  }
  return true;
}

/// Whether the blocks of a side may be dense, as far as its type does not matter.
bool may_be_dense(const SideArguments& side) {
  if (side.shape == Shape::none) return true;
  if (side.buffer == MPI_IN_PLACE || side.buffer == MPI_BOTTOM || side.buffer == nullptr) {
    return false;
  }
  if (side.shape == Shape::single || side.shape == Shape::equal) return true;
  return side.shape == Shape::blocks && !side.counts.is_null() && !side.displacements.is_null();
}

/// Bytes of an element of a dense side, whose data fill it in order; 0 for other sides.
Bytes dense_size(const SideArguments& side, const char* name) {
  if (side.shape == Shape::none) return 1;
  if (side.type == MPI_DATATYPE_NULL) return 0;
  const std::shared_ptr<const ElementType> element = element_type({side.type, name});
  return element->first == 0 && element->is_contiguous(2) ? element->size : 0;
}

}  // namespace

bool read_dense(const Call& given, const Context& context, SendBlocks& send,
                ReceiveBlocks& receive) {
  std::optional<Call> rest;
  if (given.has_root()) {
    if (given.root < 0 || given.root >= context.ranks()) return false;
    rest = significant_part(given, given.root == context.rank());
  } else if (is_allgather(given.form)) {
    rest = given;
    rest->send.peer = context.rank();  // one block for all, kept as that for itself
  }
  const Call& call = rest ? *rest : given;
  if (!may_be_dense(call.send) || !may_be_dense(call.receive)) return false;
  const Bytes size = dense_size(call.send, "send");
  const bool same = call.receive.type == call.send.type && call.send.shape != Shape::none;
  const Bytes receive_size = same ? size : dense_size(call.receive, "receive");
  if (size == 0 || receive_size == 0) return false;
  Reach sent;
  Reach received;
  if (!read_side(call.send, size, context.ranks(), send, sent) ||
      !read_side(call.receive, receive_size, context.ranks(), receive, received)) {
    return false;
  }
  send.base = static_cast<const std::byte*>(call.send.buffer);
  receive.base = static_cast<std::byte*>(const_cast<void*>(call.receive.buffer));
  // Blocks that lie among those of the other side may yet overlap none of them.
  const bool apart = sent.is_empty() || received.is_empty() || sent.end <= received.begin ||
                     received.end <= sent.begin;
  const auto own = static_cast<std::size_t>(context.rank());
  return apart && send.bytes[own] == receive.bytes[own];
}

bool read_lengths(const Call& allgather, Rank ranks, std::vector<Bytes>& lengths) {
  const SideArguments& given = allgather.receive;
  if (given.type == MPI_DATATYPE_NULL || given.counts.is_null()) return false;
  const Bytes size = element_type({given.type, "receive"})->size;
  lengths.resize(index_of(ranks));
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    if (!given.counts.bytes(k, size, lengths[k])) return false;
  }
  return true;
}

}  // namespace shunt::c
