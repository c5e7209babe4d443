#include "bindings/redistribution_calls.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "bindings/addresses.hpp"
#include "bindings/agreed.hpp"
#include "bindings/box_packing.hpp"
#include "bindings/checked.hpp"
#include "bindings/memory_overlap.hpp"
#include "collective/alltoallv/alltoallv.hpp"
#include "context/device_memory.hpp"
#include "engine/redistribution_run.hpp"
#include "model/array_layout.hpp"
#include "redistribution/piecewise.hpp"
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
  std::string_view what;  ///< "the array to redistribute" or the like
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
  if (is_device_memory(memory.data())) refuse_device_memory(memory.data(), named.what);
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

/// What this rank reads, and what it writes.
struct UsedMemory {
  std::vector<MemoryPiece> read;
  std::vector<MemoryPiece> written;
};

void add_memory(std::vector<MemoryPiece>& pieces, Bytes address, Bytes bytes) {
  if (bytes > 0) pieces.push_back({address, address + bytes});
}

void add_transfer(const ArrayTransfer<std::byte>& transfer, Rank ranks, Rank rank, Bytes element,
                  GatheredArrays& gathered, UsedMemory& parts) {
  const auto from = pieces_here(transfer.from, ranks, {"the array to redistribute", rank, element});
  const auto to = pieces_here(transfer.to, ranks, {"the array to redistribute to", rank, element});
  for (std::size_t k = 0; k < from.parts.size(); ++k) {
    add_memory(parts.read, address_of(from.memory[k]), from.parts[k].end);
  }
  for (std::size_t k = 0; k < to.parts.size(); ++k) {
    add_memory(parts.written, address_of(to.memory[k]), to.parts[k].end);
  }
  for (PieceRedistribution& piece :
       redistributions_of_pieces(from.layout, to.layout, transfer.section, ranks, rank)) {
    gathered.redistributions.push_back({std::move(piece.redistribution),
                                        from.parts[piece.from].strides,
                                        to.parts[piece.to].strides});
    gathered.memory.push_back({from.memory[piece.from], to.memory[piece.to], transfer.update});
  }
}

/// Adds what of an array lies in a box.
void add_box(std::vector<MemoryPiece>& pieces, const std::byte* array, const Box& box) {
  BoxCursor cursor(box);
  for (Bytes left = box.bytes(); left > 0;) {
    const BoxCursor::Stretch stretch = cursor.stretch();
    add_memory(pieces, address_of(array) + stretch.offset, stretch.length);
    cursor.skip(stretch.length);
    left -= stretch.length;
  }
}

/// Whether `rank` overwrites elements that it sends: all of them are looked at.
bool overwrites_what_it_sends(const GatheredArrays& gathered, Rank rank) {
  UsedMemory used;
  for_each_box(
      gathered.redistributions, rank, gathered.element,
      [&](std::size_t array, const BoxMessage& message) {
        add_box(used.read, gathered.memory[array].from, message.box);
      },
      [&](std::size_t array, const BoxMessage& message) {
        add_box(used.written, gathered.memory[array].to, message.box);
      });
  return first_overlap(std::move(used.read), std::move(used.written)).has_value();
}

std::unique_ptr<Plan::Implementation> plan_straight(const std::shared_ptr<Context>& context,
                                                    const Options& options,
                                                    GatheredArrays gathered) {
  auto run = std::make_unique<RedistributionRun>(context, options, gathered.redistributions,
                                                 gathered.element, gathered.order);
  run->bind(std::move(gathered.memory));
  PlannedCollective planned{.asked = options, .configuration = options};
  planned.stage_names.emplace_back("redistribution");
  planned.exchange = std::move(run);
  return std::make_unique<Plan::Implementation>(context, std::move(planned));
}

/// What is put together has to arrive in whole elements.
void expect_packets(const Options& options, Bytes element, bool updates) {
  if (options.algorithm != kAuto) return;
  const Bytes packet = redistribution_packet(options, element);
  if (!updates || packet >= element) return;
  throw Error(ErrorKind::argument,
              fmt::format("packets have {} bytes; elements that are put together have {}", packet,
                          element));
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
  LocalPart part{std::vector<Bytes>(dimensions, element), 0};
  if (std::ranges::count(extents, 0) > 0) return part;
  part.end = element;
  for (std::size_t d = 0; d < dimensions; ++d) {
    // Where there is no next index, the way to it does not matter.
    if (extents[d] == 1) continue;
    if (all[d] < 1) {
      throw Error(ErrorKind::argument,
                  fmt::format("{}: stride {} is {}; it is at least 1", what, d, strides[d]));
    }
    part.strides[d] = times(all[d], element, "a stride");
    part.end =
        plus(part.end, times(extents[d] - 1, part.strides[d], "the reach"), "the part of a rank");
  }
  return part;
}

GatheredArrays gather_arrays(const Context& context, const Options& options,
                             const std::vector<ArrayTransfer<std::byte>>& transfers,
                             Bytes element) {
  const bool is_one =
      transfers.size() == 1 && is_dealt(transfers.front().from) && is_dealt(transfers.front().to);
  GatheredArrays gathered{element, is_one ? MessageOrder::scheduled : MessageOrder::by_distance};
  expect_packets(options, element, std::ranges::any_of(transfers, [](const auto& transfer) {
                   return static_cast<bool>(transfer.update);
                 }));
  UsedMemory parts;
  for (const ArrayTransfer<std::byte>& transfer : transfers) {
    add_transfer(transfer, context.ranks(), context.rank(), element, gathered, parts);
  }
  // Sections of one array may lie beside each other.
  if (first_overlap(std::move(parts.read), std::move(parts.written)) &&
      overwrites_what_it_sends(gathered, context.rank())) {
    throw Error(ErrorKind::buffer,
                "elements that are sent and elements that are received lie in the same memory; the "
                "memory of the array to redistribute and that of the array to redistribute to must "
                "not overlap");
  }
  return gathered;
}

std::unique_ptr<Plan::Implementation> plan_gathered(const std::shared_ptr<Context>& context,
                                                    const Options& options,
                                                    GatheredArrays gathered) {
  if (options.algorithm == kAuto) return plan_straight(context, options, std::move(gathered));
  auto packing =
      std::make_unique<BoxPacking>(gathered.redistributions, BoxArrays{std::move(gathered.memory)},
                                   context->rank(), context->ranks(), gathered.element);
  return std::make_unique<Plan::Implementation>(
      context, plan({alltoallv(), context, options}, std::move(packing)));
}

Counters redistribute_once(const std::shared_ptr<Context>& context, const Options& options,
                           const std::function<GatheredArrays()>& gather) {
  Attempt attempt(gather);
  if (attempt.failure && options.algorithm == kAuto) {
    stay_out_of_redistribution(*context, options);
    std::rethrow_exception(attempt.failure);
  }
  // By other algorithms a rank that cannot take part has no elements to send and expects none.
  const auto plan =
      plan_gathered(context, options, std::move(attempt.made).value_or(GatheredArrays()));
  plan->start();
  plan->wait();
  if (attempt.failure) std::rethrow_exception(attempt.failure);
  return plan->counters();
}

}  // namespace shunt
