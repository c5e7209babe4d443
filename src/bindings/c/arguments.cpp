#include "bindings/c/arguments.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bindings/byte_blocks.hpp"
#include "bindings/checked.hpp"
#include "bindings/kinds.hpp"
#include "bindings/memory_overlap.hpp"

namespace shunt::c {

namespace {

void expect_array(bool present, const char* side, const char* what, Rank ranks) {
  if (present) return;
  throw Error(ErrorKind::argument,
              fmt::format("the {} {} are null; they are an array with an entry "
                          "for each of the {} ranks",
                          side, what, ranks));
}

/// As many elements for each rank, one block after the other; or one block, which goes to each
/// rank, or to one, or comes from one.
TypedSide one_count(const SideArguments& given, const char* side, Rank ranks) {
  const Bytes count = given.counts[0];
  if (count < 0) {
    throw Error(ErrorKind::count,
                fmt::format("the {} count is {}, which is negative", side, count));
  }
  TypedSide result(side, given.buffer);
  const ElementType& type = result.use(given.type);
  for (Rank peer = 0; peer < ranks; ++peer) {
    if (!given.has_block(index_of(peer))) {
      result.add_empty();
    } else if (given.shape == Shape::single) {
      result.add(type, count, 0);
    } else {
      result.add_at(type, count, times(count, peer, "a displacement"));
    }
  }
  return result;
}

/// Blocks of one type, or of a type each.
TypedSide blocks(const SideArguments& given, const char* side, Rank ranks) {
  const bool types_differ = given.shape == Shape::typed;
  expect_array(!given.counts.is_null(), side, "counts", ranks);
  expect_array(!given.displacements.is_null(), side, "displacements", ranks);
  if (types_differ) expect_array(given.types != nullptr, side, "types", ranks);
  TypedSide result(side, given.buffer);
  const ElementType* type = types_differ ? nullptr : &result.use(given.type);
  for (Rank peer = 0; peer < ranks; ++peer) {
    const auto k = static_cast<std::size_t>(peer);
    const Bytes count = given.counts[k];
    if (count < 0) throw negative_count(count, side, k);
    if (count == 0) {
      result.add_empty();
    } else if (types_differ) {
      result.add(result.use(given.types[k], peer), count, given.displacements[k]);
    } else {
      result.add_at(*type, count, given.displacements[k]);
    }
  }
  return result;
}

TypedSide read_side(const SideArguments& given, const char* side, Rank ranks) {
  if (given.shape == Shape::none) return no_blocks(side, ranks);
  const bool has_one_count = given.shape == Shape::single || given.shape == Shape::equal;
  return has_one_count ? one_count(given, side, ranks) : blocks(given, side, ranks);
}

/// The rank's block for itself has another length than it expects. The others get what they expect:
/// in an all-gather what is in the receive buffer, as from MPI's own functions.
void leave_out_own(Arguments& arguments) {
  const Rank own = arguments.rank;
  if (arguments.allgather) {
    arguments.send.reset();
    return;
  }
  const auto is_own = [=](Rank peer) { return peer == own; };
  arguments.send = arguments.send->without(is_own);
  arguments.receive = arguments.receive.without(is_own);
}

void expect_root(int root, Rank ranks) {
  if (0 <= root && root < ranks) return;
  throw Error(ErrorKind::root,
              fmt::format("the root is {}; the ranks are 0 to {}", root, ranks - 1));
}

[[noreturn]] void refuse_in_place(const char* side, const char* may_be) {
  throw Error(ErrorKind::buffer,
              fmt::format("the {} buffer is MPI_IN_PLACE; only {} may be", side, may_be));
}

/// The sides of a collective with a root, whose own block may be in place: then it stays where it
/// is.
Arguments read_rooted(const Call& given, Rank rank, Rank ranks) {
  expect_root(given.root, ranks);
  const Call call = significant_part(given, given.root == rank);
  const auto in_place = [&](const SideArguments& own, const char* side) {
    if (own.buffer != MPI_IN_PLACE) return false;
    if (own.shape != Shape::single || rank != call.root) {
      refuse_in_place(side, own.shape == Shape::single ? "the root's" : "that of a single block");
    }
    return true;
  };
  const bool is_sent_from_there = in_place(call.send, "send");
  const bool stays = in_place(call.receive, "receive") || is_sent_from_there;
  const auto read = [&](const SideArguments& own, const char* side) {
    if (own.buffer == MPI_IN_PLACE) return no_blocks(side, ranks);
    const TypedSide all = read_side(own, side, ranks);
    return stays ? all.without([=](Rank peer) { return peer == rank; }) : all;
  };
  return {read(call.send, "send"), read(call.receive, "receive"), false, rank, {}};
}

Arguments read_sides(const Call& call, Rank rank, Rank ranks) {
  if (call.has_root()) return read_rooted(call, rank, ranks);
  if (call.receive.buffer == MPI_IN_PLACE) refuse_in_place("receive", "the send buffer");
  std::optional<TypedSide> send;
  if (call.send.buffer != MPI_IN_PLACE) send = read_side(call.send, "send", ranks);
  return {std::move(send),
          read_side(call.receive, "receive", ranks),
          is_allgather(call.form),
          rank,
          {}};
}

/// All memory that the blocks may touch.
MemoryPiece region(const TypedSide& side) {
  MemoryPiece all{std::numeric_limits<Bytes>::max(), std::numeric_limits<Bytes>::min()};
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

/// The contiguous blocks, and the first pieces of the others.
std::vector<MemoryPiece> first_pieces(const TypedSide& side) {
  std::vector<MemoryPiece> pieces;
  for (std::size_t k = 0; k < side.blocks().size(); ++k) {
    const TypedBlock& block = side.blocks()[k];
    if (block.bytes == 0 || block.type->map->runs().empty()) continue;
    const Bytes length = block.is_contiguous() ? block.bytes : block.type->map->front_run().length;
    pieces.push_back({block.data(), block.data() + length, k});
  }
  return pieces;
}

/// Throws Error(buffer) where contiguous pieces of the two sides overlap. Of a block in many pieces
/// only the first one is looked at: sides that interleave without overlapping are right. Costs a
/// pass over the blocks, and sorting them where the two sides lie in the same region.
void expect_no_overlap(const TypedSide& send, const TypedSide& receive) {
  const MemoryPiece out = region(send);
  const MemoryPiece in = region(receive);
  if (out.end <= in.begin || in.end <= out.begin) return;
  const auto overlap = first_overlap(first_pieces(send), first_pieces(receive));
  if (!overlap) return;
  throw Error(ErrorKind::buffer,
              fmt::format("send block {} and receive block {} overlap; they must not, unless the "
                          "send buffer is MPI_IN_PLACE",
                          overlap->first, overlap->second));
}

/// Throws where a side cannot be read.
Arguments read_usable(const Call& call, Rank rank, Rank ranks) {
  Arguments result = read_sides(call, rank, ranks);
  if (!result.send) return result;
  const Bytes sent = result.send->blocks()[index_of(rank)].bytes;
  const Bytes expected = result.receive.blocks()[index_of(rank)].bytes;
  try {
    expect_own_block(rank, sent, expected);
    expect_no_overlap(*result.send, result.receive);
  } catch (const Error& error) {
    result.fault = std::current_exception();
    result.overlap = error.kind() == ErrorKind::buffer;
  }
  if (sent != expected) leave_out_own(result);
  return result;
}

}  // namespace

std::vector<Bytes> Arguments::sent() const {
  if (send) return send->bytes();
  std::vector<Bytes> bytes = receive.bytes();
  if (allgather) std::ranges::fill(bytes, bytes[static_cast<std::size_t>(rank)]);
  return bytes;
}

const Collective& kind_of(Form form) {
  using Kind = const Collective& (*)();
#define SHUNT_KIND(name, form, kind, ...) &kind,
  constexpr Kind kKinds[] = {SHUNT_EACH_FUNCTION(SHUNT_KIND)};
#undef SHUNT_KIND
  return kKinds[static_cast<std::size_t>(form)]();
}

Call significant_part(const Call& call, bool is_root) {
  Call rest = call;
  if (!call.has_root() || is_root) return rest;
  for (SideArguments* side : {&rest.send, &rest.receive}) {
    if (side->shape != Shape::single) *side = {};
  }
  return rest;
}

std::vector<Bytes> bytes_by_peer(const SideArguments& side, std::size_t peers) {
  std::vector<Bytes> bytes(peers, 0);
  if (side.buffer == MPI_IN_PLACE) return bytes;
  MPI_Datatype measured = MPI_DATATYPE_NULL;
  MPI_Count size = 0;
  for (std::size_t k = 0; k < peers; ++k) {
    const Bytes count = side.has_block(k) ? side.counts[k] : 0;
    if (count == 0) continue;
    const MPI_Datatype type = side.type_of(k);
    if (type != measured) MPI_Type_size_x(type, &size);
    measured = type;
    bytes[k] = count * size;
  }
  return bytes;
}

std::vector<Bytes> sent_bytes(const Call& call, std::size_t peers) {
  if (call.send.buffer != MPI_IN_PLACE || call.has_root()) return bytes_by_peer(call.send, peers);
  std::vector<Bytes> bytes = bytes_by_peer(call.receive, peers);
  if (is_allgather(call.form)) {
    int rank = 0;
    MPI_Comm_rank(call.comm, &rank);
    std::ranges::fill(bytes, bytes[static_cast<std::size_t>(rank)]);
  }
  return bytes;
}

Arguments read_arguments(const Call& call, Rank rank, Rank ranks) {
  try {
    return read_usable(call, rank, ranks);
  } catch (const Error&) {
    return {no_blocks("send", ranks), no_blocks("receive", ranks), is_allgather(call.form), rank,
            std::current_exception()};
  }
}

}  // namespace shunt::c
