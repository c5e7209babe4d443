#include "bindings/c/overlap.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt::c {

namespace {

struct Piece {
  Bytes begin;
  Bytes end;
  std::size_t rank;
};

/// All memory that the blocks may touch.
Piece region(const TypedSide& side) {
  Piece all{std::numeric_limits<Bytes>::max(), std::numeric_limits<Bytes>::min(), 0};
  for (const TypedBlock& block : side.blocks()) {
    if (block.bytes == 0) continue;
    const ElementType& type = *block.type;
    const Bytes first = block.address + type.first;
    const Bytes last = first + (block.count - 1) * type.extent;
    all.begin = std::min({all.begin, first, last});
    all.end = std::max({all.end, first + type.span, last + type.span});
  }
  return all;
}

std::vector<Piece> sorted_pieces(const TypedSide& side) {
  std::vector<Piece> pieces;
  for (std::size_t k = 0; k < side.blocks().size(); ++k) {
    const TypedBlock& block = side.blocks()[k];
    if (block.bytes == 0 || block.type->map->runs().empty()) continue;
    const Bytes length = block.is_contiguous() ? block.bytes : block.type->map->front_run().length;
    pieces.push_back({block.data(), block.data() + length, k});
  }
  std::ranges::sort(pieces, {}, &Piece::begin);
  return pieces;
}

}  // namespace

void expect_no_overlap(const TypedSide& send, const TypedSide& receive) {
  const Piece out = region(send);
  const Piece in = region(receive);
  if (out.end <= in.begin || in.end <= out.begin) return;
  const std::vector<Piece> sent = sorted_pieces(send);
  const std::vector<Piece> received = sorted_pieces(receive);
  auto a = sent.begin();
  auto b = received.begin();
  while (a != sent.end() && b != received.end()) {
    if (a->begin < b->end && b->begin < a->end) {
      throw Error(ErrorKind::buffer,
                  fmt::format("send block {} and receive block {} overlap; they must not, unless "
                              "the send buffer is MPI_IN_PLACE",
                              a->rank, b->rank));
    }
    if (a->end <= b->end) {
      ++a;
    } else {
      ++b;
    }
  }
}

}  // namespace shunt::c
