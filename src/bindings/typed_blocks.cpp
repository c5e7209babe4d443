#include "bindings/typed_blocks.hpp"

#include <algorithm>
#include <climits>

#include <fmt/format.h>

#include "exchange/mpi_call.hpp"
#include "model/narrow.hpp"

namespace shunt {

namespace {

Bytes times(Bytes a, Bytes b, const char* what) {
  Bytes product = 0;
  if (__builtin_mul_overflow(a, b, &product)) {
    throw Error(ErrorKind::count,
                fmt::format("{} of {} times {} bytes exceeds 64 bits", what, a, b));
  }
  return product;
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
    if (layout.counts[k] < 0) {
      throw Error(ErrorKind::count,
                  fmt::format("{} count {} is {}, which is negative", side, k, layout.counts[k]));
    }
  }
}

struct ByteLayout {
  std::vector<Bytes> bytes;
  std::vector<Bytes> offsets;
};

ByteLayout in_bytes(const Layout& layout, Bytes size, Bytes extent) {
  ByteLayout result;
  result.bytes.reserve(layout.counts.size());
  result.offsets.reserve(layout.counts.size());
  for (const Bytes count : layout.counts) result.bytes.push_back(times(count, size, "a count"));
  for (const Bytes place : layout.displacements) {
    result.offsets.push_back(times(place, extent, "a displacement"));
  }
  return result;
}

ByteLayout within(std::size_t buffer, const Layout& layout, std::size_t element, Rank ranks,
                  const char* side) {
  check_layout(layout, ranks, side);
  const auto size = static_cast<Bytes>(element);
  ByteLayout result = in_bytes(layout, size, size);
  const auto end = static_cast<Bytes>(buffer);
  for (std::size_t k = 0; k < result.bytes.size(); ++k) {
    const bool inside = result.offsets[k] >= 0 && result.offsets[k] <= end &&
                        result.bytes[k] <= end - result.offsets[k];
    if (result.bytes[k] > 0 && !inside) {
      throw Error(
          ErrorKind::buffer,
          fmt::format("{} block {} is {} elements at displacement {}, outside the buffer of "
                      "{} elements",
                      side, k, layout.counts[k], layout.displacements[k], buffer / element));
    }
  }
  return result;
}

/// The rule of MPI_Pack's own counts.
int pack_count(Bytes count) { return narrow<int>(count, "the count of a block to be packed"); }

/// Whether MPI_Pack leaves an element of `size` bytes without holes as it lies in memory; the data
/// of a type may stand in any order. Tried out on an element that numbers its bytes.
bool packs_in_place(MPI_Datatype type, int size, MPI_Comm comm) {
  std::vector<std::byte> element(static_cast<std::size_t>(size));
  std::vector<std::byte> packed(element.size());
  for (unsigned shift = 0; element.size() >> shift > 0; shift += CHAR_BIT) {
    for (std::size_t i = 0; i < element.size(); ++i) element[i] = std::byte(i >> shift & 0xFF);
    int position = 0;
    check_mpi(MPI_Pack(element.data(), 1, type, packed.data(), size, &position, comm), "MPI_Pack");
    if (packed != element) return false;
  }
  return true;
}

}  // namespace

SendBlocks send_blocks(std::span<const std::byte> buffer, const Layout& layout, std::size_t element,
                       Rank ranks) {
  ByteLayout blocks = within(buffer.size(), layout, element, ranks, "send");
  return {buffer.data(), std::move(blocks.bytes), std::move(blocks.offsets)};
}

ReceiveBlocks receive_blocks(std::span<std::byte> buffer, const Layout& layout, std::size_t element,
                             Rank ranks) {
  ByteLayout blocks = within(buffer.size(), layout, element, ranks, "receive");
  return {buffer.data(), std::move(blocks.bytes), std::move(blocks.offsets)};
}

TypedBlocks::TypedBlocks(const YardState& yard, const void* base, const Layout& layout,
                         MPI_Datatype type, const char* side)
    : comm_(yard.comm()), base_(static_cast<const std::byte*>(base)), layout_(layout) {
  check_layout(layout, yard.ranks(), side);
  if (type == MPI_DATATYPE_NULL) {
    throw Error(ErrorKind::type, fmt::format("the {} type is MPI_DATATYPE_NULL", side));
  }
  int size = 0;
  MPI_Aint bound = 0;
  MPI_Aint extent = 0;
  MPI_Aint true_bound = 0;
  MPI_Aint true_extent = 0;
  check_mpi(MPI_Type_size(type, &size), "MPI_Type_size");
  check_mpi(MPI_Type_get_extent(type, &bound, &extent), "MPI_Type_get_extent");
  check_mpi(MPI_Type_get_true_extent(type, &true_bound, &true_extent), "MPI_Type_get_true_extent");
  size_ = size;
  extent_ = extent;
  dense_ = bound == 0 && true_bound == 0 && extent == size && true_extent == size &&
           packs_in_place(type, size, comm_);
  ByteLayout blocks = in_bytes(layout, size_, extent_);
  bytes_ = std::move(blocks.bytes);
  offsets_ = std::move(blocks.offsets);
  if (dense_) return;
  check_mpi(MPI_Type_dup(type, &type_), "MPI_Type_dup");
  for (const Bytes count : layout_.counts) (void)pack_count(count);
  Bytes end = 0;
  for (std::size_t k = 0; k < bytes_.size(); ++k) {
    offsets_[k] = end;
    end += bytes_[k];
  }
  packed_.provide(end);
}

TypedBlocks::~TypedBlocks() {
  if (type_ != MPI_DATATYPE_NULL && mpi_is_running()) MPI_Type_free(&type_);
}

SendBlocks TypedBlocks::to_send() const {
  return {dense_ ? base_ : const_cast<ByteBuffer&>(packed_).provide(0), bytes_, offsets_};
}

ReceiveBlocks TypedBlocks::to_receive() const {
  // A receive buffer came in as void*, so writing to it is the caller's wish.
  return {dense_ ? const_cast<std::byte*>(base_) : const_cast<ByteBuffer&>(packed_).provide(0),
          bytes_, offsets_};
}

void TypedBlocks::pack() {
  if (dense_) return;
  for (std::size_t k = 0; k < bytes_.size(); ++k) {
    if (bytes_[k] == 0) continue;
    int position = 0;
    check_mpi(
        MPI_Pack(base_ + layout_.displacements[k] * extent_, pack_count(layout_.counts[k]), type_,
                 packed_.provide(0) + offsets_[k],
                 narrow<int>(bytes_[k], "the length of a block to be packed"), &position, comm_),
        "MPI_Pack");
  }
}

void TypedBlocks::unpack() {
  if (dense_) return;
  for (std::size_t k = 0; k < bytes_.size(); ++k) {
    if (bytes_[k] == 0) continue;
    int position = 0;
    auto* to = const_cast<std::byte*>(base_) + layout_.displacements[k] * extent_;
    check_mpi(MPI_Unpack(packed_.provide(0) + offsets_[k],
                         narrow<int>(bytes_[k], "the length of a block to be unpacked"), &position,
                         to, pack_count(layout_.counts[k]), type_, comm_),
              "MPI_Unpack");
  }
}

}  // namespace shunt
