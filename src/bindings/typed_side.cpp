#include "bindings/typed_side.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bindings/checked.hpp"
#include "context/device_memory.hpp"
#include "mpi_calls/mpi_call.hpp"

namespace shunt {

namespace {

/// No object lies in the first page, where null pointers lead.
constexpr Bytes kFirstAddress = 4096;

}  // namespace

TypedSide::TypedSide(const char* name, const void* base)
    : name_(name), base_(base == MPI_BOTTOM ? 0 : address_of(base)) {}

const ElementType& TypedSide::use(MPI_Datatype type, Rank peer) {
  const auto known = known_.find(type);
  if (known != known_.end()) return *known->second;
  types_.push_back(element_type({type, name_, peer}));
  known_.emplace(type, types_.back().get());
  return *types_.back();
}

void TypedSide::add(const ElementType& element, Bytes count, Bytes place) {
  TypedBlock block{0, count, times(count, element.size, "a count"), &element};
  if (block.bytes == 0) return add_empty();
  block.address = plus(base_, place, "the address of a block");
  const Bytes last = times(count - 1, element.extent, "a count");
  const Bytes lowest = plus(plus(block.address, element.first, "the address of a block"),
                            std::min(last, Bytes{0}), "the address of a block");
  (void)plus(plus(block.address, std::max(last, Bytes{0}), "the end of a block"),
             element.first + element.span, "the end of a block");
  if (base_ == 0 && lowest >= 0 && lowest < kFirstAddress) {
    throw Error(ErrorKind::buffer,
                fmt::format("the {} buffer is null, and {} block {} has {} elements; a null buffer "
                            "is for no elements, or for types of absolute addresses",
                            name_, name_, blocks_.size(), count));
  }
  // Blocks of absolute addresses may lie anywhere; others lie together.
  if (total_ == 0 || base_ == 0) expect_host_memory(at_address(lowest), name_);
  total_ = plus(total_, block.bytes, "the bytes of all blocks");
  blocks_.push_back(block);
}

void TypedSide::add_at(const ElementType& element, Bytes count, Bytes displacement) {
  // Where elements without data lie does not matter, and may be anywhere.
  if (count == 0 || element.size == 0) return add_empty();
  add(element, count, times(displacement, element.extent, "a displacement"));
}

std::vector<Bytes> TypedSide::bytes() const {
  std::vector<Bytes> lengths;
  lengths.reserve(blocks_.size());
  for (const TypedBlock& block : blocks_) lengths.push_back(block.bytes);
  return lengths;
}

void check_layout(const Layout& layout, Rank ranks, const char* side) {
  const auto expected = static_cast<std::size_t>(ranks);
  if (layout.counts.size() != expected || layout.displacements.size() != expected) {
    throw Error(
        ErrorKind::count,
        fmt::format("the {} layout has {} counts and {} displacements; the communicator has "
                    "{} ranks",
                    side, layout.counts.size(), layout.displacements.size(), ranks));
  }
  for (std::size_t k = 0; k < expected; ++k) {
    if (layout.counts[k] < 0) throw negative_count(layout.counts[k], side, k);
  }
}

Error negative_count(Bytes count, const char* side, std::size_t peer) {
  return {ErrorKind::count, fmt::format("{} count {} is {}, which is negative", side, peer, count)};
}

TypedSide typed_side(const void* base, const Layout& layout, MPI_Datatype type, Rank ranks,
                     const char* side) {
  check_layout(layout, ranks, side);
  TypedSide result(side, base);
  result.reserve(ranks);
  const ElementType& element = result.use(type);
  for (std::size_t k = 0; k < layout.counts.size(); ++k) {
    result.add_at(element, layout.counts[k], layout.displacements[k]);
  }
  return result;
}

TypedSide no_blocks(const char* side, Rank ranks) {
  TypedSide result(side, nullptr);
  result.reserve(ranks);
  for (Rank peer = 0; peer < ranks; ++peer) result.add_empty();
  return result;
}

TypedSide typed_block(const void* data, Bytes count, MPI_Datatype type) {
  return typed_side(data, {{count}, {0}}, type, 1, "send");
}

}  // namespace shunt
