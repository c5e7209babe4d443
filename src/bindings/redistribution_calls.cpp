#include "bindings/redistribution_calls.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "algorithms/redistribution/piecewise.hpp"
#include "bindings/block_calls.hpp"
#include "bindings/box_packing.hpp"
#include "bindings/checked.hpp"
#include "bindings/limited_calls.hpp"
#include "exchange/redistribution_run.hpp"
#include "model/array_layout.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// The pieces of an array, with what this rank has of each.
template <class Byte>
struct LocalPieces {
  PiecewiseLayout layout;
  std::vector<LocalPart> parts;  ///< by piece
  std::vector<Byte*> memory;
};

/// What a call names wrong.
struct Named {
  std::string_view what;
  Rank rank;
  Bytes element;
};

template <class Byte>
void add_piece(LocalPieces<Byte>& pieces, std::span<Byte> memory, const std::vector<Index>& strides,
               const Named& named) {
  const ArrayLayout& layout = pieces.layout.pieces[pieces.parts.size()];
  LocalPart part = local_part(layout, strides, named.rank, named.element, named.what);
  if (part.end > std::ssize(memory)) {
    throw Error(ErrorKind::buffer,
                fmt::format("{}: the part of rank {} ends {} bytes after its beginning; its memory "
                            "has {}",
                            named.what, named.rank, part.end, memory.size()));
  }
  pieces.parts.push_back(std::move(part));
  pieces.memory.push_back(memory.data());
}

template <class Byte>
LocalPieces<Byte> pieces_here(const DistributedArray<Byte>& array, Rank ranks, const Named& named) {
  LocalPieces<Byte> pieces{one_piece(array.layout, ranks, named.what), {}, {}};
  add_piece(pieces, array.part, array.strides, named);
  return pieces;
}

template <class Byte>
LocalPieces<Byte> pieces_here(const SplitArray<Byte>& array, Rank ranks, const Named& named) {
  LocalPieces<Byte> pieces{pieces_of(array.layout, ranks, named.what), {}, {}};
  const auto own = std::ranges::count(array.layout.owners, named.rank);
  if (own != std::ssize(array.blocks)) {
    throw Error(ErrorKind::count, fmt::format("{}: rank {} gives {} blocks; {} are its own",
                                              named.what, named.rank, array.blocks.size(), own));
  }
  auto block = array.blocks.begin();
  for (const Rank owner : array.layout.owners) {
    if (owner == named.rank) {
      add_piece(pieces, block->part, block->strides, named);
      ++block;
    } else {
      add_piece(pieces, std::span<Byte>(), {}, named);
    }
  }
  return pieces;
}

template <class Byte>
LocalPieces<Byte> pieces_here(const AnyArray<Byte>& array, Rank ranks, const Named& named) {
  return std::visit([&](const auto& of_kind) { return pieces_here(of_kind, ranks, named); }, array);
}

template <class Byte>
bool is_dealt(const AnyArray<Byte>& array) {
  return std::holds_alternative<DistributedArray<Byte>>(array);
}

/// What goes together, and where it lies.
struct Gathered {
  std::vector<LocalRedistribution> redistributions;
  std::vector<BoxArrays::Pair> memory;
};

void gather(const ArrayTransfer<std::byte>& transfer, Rank ranks, Rank rank, Bytes element,
            Gathered& gathered) {
  const auto from = pieces_here(transfer.from, ranks, {"the array to redistribute", rank, element});
  const auto to = pieces_here(transfer.to, ranks, {"the array to redistribute to", rank, element});
  for (PieceRedistribution& piece :
       redistributions_of_pieces(from.layout, to.layout, transfer.section, ranks, rank)) {
    gathered.redistributions.push_back({std::move(piece.redistribution),
                                        from.parts[piece.from].strides,
                                        to.parts[piece.to].strides});
    gathered.memory.push_back({from.memory[piece.from], to.memory[piece.to], transfer.update});
  }
}

std::unique_ptr<Plan::Implementation> plan_straight(const std::shared_ptr<YardState>& yard,
                                                    const Options& options, Gathered gathered,
                                                    Bytes element, MessageOrder order) {
  auto run =
      std::make_unique<RedistributionRun>(yard, options, gathered.redistributions, element, order);
  run->bind(std::move(gathered.memory));
  PlannedBlocks planned{options, {}, {}, nullptr};
  planned.stage_names.emplace_back("redistribution");
  planned.exchange = std::move(run);
  return std::make_unique<Plan::Implementation>(yard, std::move(planned));
}

}  // namespace

LocalPart local_part(const ArrayLayout& layout, const std::vector<Index>& strides, Rank rank,
                     Bytes element, std::string_view what) {
  const std::size_t dimensions = layout.dimensions.size();
  if (!strides.empty() && strides.size() != dimensions) {
    throw Error(ErrorKind::count, fmt::format("{} has {} strides and {} dimensions", what,
                                              strides.size(), dimensions));
  }
  const std::optional<Place> place = place_of(layout, rank);
  if (!place) return {std::vector<Bytes>(dimensions, element), 0};
  const std::vector<Index> extents = local_extents(layout, *place);
  const std::vector<Index> all = strides.empty() ? dense_strides(extents, layout.order) : strides;
  const bool has_elements = std::ranges::count(extents, 0) == 0;
  LocalPart part;
  Bytes end = element;
  for (std::size_t d = 0; d < dimensions; ++d) {
    if (has_elements && extents[d] > 1 && all[d] < 1) {
      throw Error(ErrorKind::argument,
                  fmt::format("{}: stride {} is {}; it is at least 1", what, d, strides[d]));
    }
    part.strides.push_back(times(all[d], element, "a stride"));
    const Bytes reach = times(std::max(extents[d] - 1, Index{0}), part.strides.back(), "the reach");
    end = plus(end, reach, "the part of a rank");
  }
  if (has_elements) part.end = end;
  return part;
}

std::unique_ptr<Plan::Implementation> plan_redistribution(
    const std::shared_ptr<YardState>& yard, const Options& options,
    const std::vector<ArrayTransfer<std::byte>>& transfers, Bytes element) {
  Gathered gathered;
  for (const ArrayTransfer<std::byte>& transfer : transfers) {
    gather(transfer, yard->ranks(), yard->rank(), element, gathered);
  }
  if (options.algorithm == kAuto) {
    const bool is_one =
        transfers.size() == 1 && is_dealt(transfers.front().from) && is_dealt(transfers.front().to);
    return plan_straight(yard, options, std::move(gathered), element,
                         is_one ? MessageOrder::scheduled : MessageOrder::by_distance);
  }
  auto packing =
      std::make_unique<BoxPacking>(gathered.redistributions, BoxArrays{std::move(gathered.memory)},
                                   yard->rank(), yard->ranks(), element);
  return plan_sides(yard, options, std::move(packing));
}

}  // namespace shunt
