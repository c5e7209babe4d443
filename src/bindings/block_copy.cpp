#include "bindings/block_copy.hpp"

#include "bindings/type_walk.hpp"
#include "routing/move_bytes.hpp"

namespace shunt {

namespace {

template <class Copy>
void walk(const TypedBlock& block, Bytes begin, Bytes bytes, std::byte* packed, Copy&& copy) {
  const ElementType& type = *block.type;
  TypeWalk(packed, copy).over({*type.map, block.address, type.extent}, begin, bytes);
}

}  // namespace

void pack_block(const TypedBlock& block, std::byte* to) { pack_part(block, 0, block.bytes, to); }

void unpack_block(const TypedBlock& block, const std::byte* from) {
  unpack_part(block, 0, block.bytes, from);
}

void pack_part(const TypedBlock& block, Bytes begin, Bytes bytes, std::byte* to) {
  if (bytes == 0) return;
  if (block.is_contiguous()) {
    move_bytes(to, at_address(block.data() + begin), bytes);
    return;
  }
  walk(block, begin, bytes, to, [](const std::byte* memory, std::byte* packed, auto length) {
    move_bytes(packed, memory, length);
  });
}

void unpack_part(const TypedBlock& block, Bytes begin, Bytes bytes, const std::byte* from) {
  if (bytes == 0) return;
  if (block.is_contiguous()) {
    move_bytes(at_address(block.data() + begin), from, bytes);
    return;
  }
  // The packed side is only read.
  walk(block, begin, bytes, const_cast<std::byte*>(from),
       [](std::byte* memory, const std::byte* packed, auto length) {
         move_bytes(memory, packed, length);
       });
}

}  // namespace shunt
