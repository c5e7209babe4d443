#include "bindings/block_copy.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "routing/move_bytes.hpp"

namespace shunt {

namespace {

/// Elements one every `stride` bytes, the first at `address`.
struct ElementRow {
  const TypeMap& of;
  Bytes address;
  Bytes stride;
};

/// Goes through the memory of typed elements in the order of their packing: calls `copy(memory,
/// packed, length)` for each piece of memory; the packed bytes are consecutive.
template <class Copy>
class TypeWalk {
 public:
  TypeWalk(std::byte* packed, Copy copy) : packed_(packed), copy_(std::move(copy)) {}

  /// The `bytes` packed bytes of the row from `begin` on.
  void over(const ElementRow& row, Bytes begin, Bytes bytes) {
    const Bytes size = row.of.size();
    Bytes element = begin / size;
    const Bytes within = begin % size;
    if (within > 0) {
      const Bytes length = std::min(size - within, bytes);
      over_piece(row.of, row.address + element * row.stride, within, length);
      bytes -= length;
      ++element;
    }
    const Bytes whole = bytes / size;
    over_whole({row.of, row.address + element * row.stride, row.stride}, whole);
    over_piece(row.of, row.address + (element + whole) * row.stride, 0, bytes - whole * size);
  }

 private:
  /// `count` elements of the row, from its first on.
  void over_whole(const ElementRow& row, Bytes count) {
    if (row.of.runs().empty()) {
      for (Bytes i = 0; i < count; ++i) {
        for (const TypePart& part : row.of.parts()) {
          over_whole({*part.of, row.address + i * row.stride + part.offset, part.stride},
                     part.count);
        }
      }
      return;
    }
    // The length as a constant, where all runs have the same short one: a call of memcpy for each
    // number would take twice the time.
    switch (row.of.run_length()) {
      case 4:
        return over_runs(row, count, [](const Run&) { return std::integral_constant<Bytes, 4>(); });
      case 8:
        return over_runs(row, count, [](const Run&) { return std::integral_constant<Bytes, 8>(); });
      case 16:
        return over_runs(row, count,
                         [](const Run&) { return std::integral_constant<Bytes, 16>(); });
      default:
        return over_runs(row, count, [](const Run& run) { return run.length; });
    }
  }

  template <class LengthOf>
  void over_runs(const ElementRow& row, Bytes count, LengthOf&& length_of) {
    for (Bytes i = 0; i < count; ++i) {
      const Bytes address = row.address + i * row.stride;
      for (const Run& run : row.of.runs()) piece(address + run.offset, length_of(run));
    }
  }

  /// The `bytes` packed bytes of one element at `address` from `begin` on.
  void over_piece(const TypeMap& map, Bytes address, Bytes begin, Bytes bytes) {
    const std::vector<Bytes>& starts = map.packed_at();
    for (auto next = std::ranges::upper_bound(starts, begin); bytes > 0; ++next) {
      const auto k = static_cast<std::size_t>(next - starts.begin()) - 1;
      const Bytes skipped = begin - starts[k];
      const Bytes end = next == starts.end() ? map.size() : *next;
      const Bytes length = std::min(end - begin, bytes);
      if (map.parts().empty()) {
        piece(address + map.runs()[k].offset + skipped, length);
      } else {
        const TypePart& part = map.parts()[k];
        over({*part.of, address + part.offset, part.stride}, skipped, length);
      }
      begin += length;
      bytes -= length;
    }
  }

  template <class Length>
  void piece(Bytes address, Length length) {
    copy_(at_address(address), packed_, length);
    packed_ += length;
  }

  std::byte* packed_;
  Copy copy_;
};

template <class Copy>
void copy_part(const TypedBlock& block, Bytes begin, Bytes bytes, std::byte* packed, Copy&& copy) {
  if (bytes == 0) return;
  if (block.is_contiguous()) return copy(at_address(block.data() + begin), packed, bytes);
  const ElementType& type = *block.type;
  TypeWalk(packed, copy).over({*type.map, block.address, type.extent}, begin, bytes);
}

}  // namespace

void pack_block(const TypedBlock& block, std::byte* to) { pack_part(block, 0, block.bytes, to); }

void unpack_block(const TypedBlock& block, const std::byte* from) {
  unpack_part(block, 0, block.bytes, from);
}

void pack_part(const TypedBlock& block, Bytes begin, Bytes bytes, std::byte* to) {
  copy_part(block, begin, bytes, to, [](const std::byte* memory, std::byte* packed, auto length) {
    move_bytes(packed, memory, length);
  });
}

void unpack_part(const TypedBlock& block, Bytes begin, Bytes bytes, const std::byte* from) {
  // The packed side is only read.
  copy_part(block, begin, bytes, const_cast<std::byte*>(from),
            [](std::byte* memory, const std::byte* packed, auto length) {
              move_bytes(memory, packed, length);
            });
}

}  // namespace shunt
