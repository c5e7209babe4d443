#include "bindings/block_copy.hpp"

#include <algorithm>
#include <type_traits>

#include "routing/move_bytes.hpp"

namespace shunt {

namespace {

/// Calls `copy(memory, packed, length)` for every run, with the length as a constant where all runs
/// have the same short one: a call of memcpy for each number would take twice the time.
template <class Copy>
void for_each_run(const TypedBlock& block, std::byte* packed, Copy&& copy) {
  const ElementType& type = block.type->element();
  auto walk = [&](auto length_of) {
    for (Bytes i = 0; i < block.count; ++i) {
      const Bytes address = block.address + i * type.extent;
      for (const Run& run : type.runs) {
        const auto length = length_of(run);
        copy(at_address(address + run.offset), packed, length);
        packed += length;
      }
    }
  };
  switch (type.run_length) {
    case 4:
      return walk([](const Run&) { return std::integral_constant<Bytes, 4>(); });
    case 8:
      return walk([](const Run&) { return std::integral_constant<Bytes, 8>(); });
    case 16:
      return walk([](const Run&) { return std::integral_constant<Bytes, 16>(); });
    default:
      return walk([](const Run& run) { return run.length; });
  }
}

}  // namespace

void pack_block(const TypedBlock& block, std::byte* to) {
  if (block.bytes == 0) return;
  if (block.type->element().needs_mpi()) {
    pack_elements(block.type->packed(), block.address, block.count, to);
  } else if (block.is_contiguous()) {
    move_bytes(to, at_address(block.data()), block.bytes);
  } else {
    for_each_run(block, to, [](const std::byte* memory, std::byte* packed, auto length) {
      move_bytes(packed, memory, length);
    });
  }
}

void unpack_block(const TypedBlock& block, const std::byte* from) {
  if (block.bytes == 0) return;
  if (block.type->element().needs_mpi()) {
    unpack_elements(block.type->packed(), block.address, block.count, from);
  } else if (block.is_contiguous()) {
    move_bytes(at_address(block.data()), from, block.bytes);
  } else {
    // The packed side is only read.
    for_each_run(block, const_cast<std::byte*>(from),
                 [](std::byte* memory, const std::byte* packed, auto length) {
                   move_bytes(memory, packed, length);
                 });
  }
}

void pack_part(const TypedBlock& block, Bytes begin, Bytes bytes, std::byte* to) {
  if (bytes == 0) return;
  BlockCursor cursor(block, begin);
  if (const std::byte* from = cursor.in_place(bytes); from != nullptr) {
    move_bytes(to, from, bytes);
  } else {
    cursor.read(to, bytes);
  }
}

void unpack_part(const TypedBlock& block, Bytes begin, Bytes bytes, const std::byte* from) {
  if (bytes == 0) return;
  const ElementType& type = block.type->element();
  if (!type.needs_mpi() || block.is_contiguous()) {
    BlockCursor cursor(block, begin);
    if (std::byte* const to = cursor.in_place(bytes); to != nullptr) {
      move_bytes(to, from, bytes);
    } else {
      cursor.write(from, bytes);
    }
    return;
  }
  // MPI unpacks whole elements: where only a part of one is new, the rest is what it is now.
  ByteBuffer memory;
  std::byte* const element = memory.provide(type.size);
  for (Bytes done = 0; done < bytes;) {
    const Bytes within = (begin + done) % type.size;
    const Bytes length = std::min(type.size - within, bytes - done);
    const Bytes address = block.address + (begin + done) / type.size * type.extent;
    if (length < type.size) pack_elements(block.type->packed(), address, 1, element);
    move_bytes(element + within, from + done, length);
    unpack_elements(block.type->packed(), address, 1, element);
    done += length;
  }
}

std::byte* BlockCursor::in_place(Bytes bytes) {
  if (!block_.is_contiguous()) return nullptr;
  std::byte* const place = at_address(block_.data() + done_);
  done_ += bytes;
  return place;
}

template <class Copy>
void BlockCursor::over_runs(Bytes bytes, Copy&& copy) {
  const ElementType& type = block_.type->element();
  Bytes copied = 0;
  while (copied < bytes) {
    const Bytes element = done_ / type.size;
    const Bytes within = done_ % type.size;
    const auto after = std::ranges::upper_bound(type.packed_at, within);
    for (auto run = static_cast<std::size_t>(after - type.packed_at.begin()) - 1;
         run < type.runs.size() && copied < bytes; ++run) {
      const Bytes skipped = done_ % type.size - type.packed_at[run];
      const Bytes length = std::min(type.runs[run].length - skipped, bytes - copied);
      copy(at_address(block_.address + element * type.extent + type.runs[run].offset + skipped),
           copied, length);
      copied += length;
      done_ += length;
      if (done_ % type.size == 0) break;
    }
  }
}

void BlockCursor::read(std::byte* to, Bytes bytes) {
  const ElementType& type = block_.type->element();
  if (!type.needs_mpi()) {
    over_runs(bytes, [to](const std::byte* memory, Bytes packed, Bytes length) {
      move_bytes(to + packed, memory, length);
    });
    return;
  }
  for (Bytes copied = 0; copied < bytes;) {
    const Bytes within = done_ % type.size;
    const bool in_hand = within > 0 && element_.capacity() > 0;
    std::byte* const element = element_.provide(type.size);
    if (!in_hand) {
      pack_elements(block_.type->packed(), block_.address + done_ / type.size * type.extent, 1,
                    element);
    }
    const Bytes length = std::min(type.size - within, bytes - copied);
    move_bytes(to + copied, element + within, length);
    copied += length;
    done_ += length;
  }
}

void BlockCursor::write(const std::byte* from, Bytes bytes) {
  const ElementType& type = block_.type->element();
  if (!type.needs_mpi()) {
    over_runs(bytes, [from](std::byte* memory, Bytes packed, Bytes length) {
      move_bytes(memory, from + packed, length);
    });
    return;
  }
  for (Bytes copied = 0; copied < bytes;) {
    const Bytes within = done_ % type.size;
    const Bytes length = std::min(type.size - within, bytes - copied);
    std::byte* const element = element_.provide(type.size);
    move_bytes(element + within, from + copied, length);
    copied += length;
    done_ += length;
    if (within + length == type.size) {
      unpack_elements(block_.type->packed(), block_.address + (done_ / type.size - 1) * type.extent,
                      1, element);
    }
  }
}

}  // namespace shunt
