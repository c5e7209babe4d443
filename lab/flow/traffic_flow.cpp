#include "lab/flow/traffic_flow.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "lab/flow/carried.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

RankClasses classes_of(const Algorithm& algorithm) {
  const std::optional<Symmetry> symmetry = algorithm.symmetry();
  if (!symmetry) {
    throw Error(ErrorKind::argument,
                fmt::format("{} on {} ranks has no symmetry by which one rank could stand for all",
                            algorithm.name(), algorithm.ranks()));
  }
  return RankClasses(*symmetry);
}

}  // namespace

TrafficFlow::TrafficFlow(const Algorithm& algorithm, const Traffic& traffic, Bytes element,
                         std::size_t most_blocks)
    : algorithm_(algorithm), classes_(algorithm.ranks()), sums_(algorithm) {
  if (traffic.ranks() != algorithm.ranks()) {
    throw Error(ErrorKind::argument,
                fmt::format("the traffic has {} ranks, but {} is made for {}", traffic.ranks(),
                            algorithm.name(), algorithm.ranks()));
  }
  for (Rank source = 0; source < traffic.ranks(); ++source) {
    for (const SparseCount& block : traffic.sparse_row(source)) {
      expect_supported(algorithm, traffic, source, block.destination);
      streams_.push_back({block.destination, source, to_bytes(block.count, element)});
    }
    if (streams_.size() > most_blocks) {
      throw Error(ErrorKind::argument,
                  fmt::format("the traffic {} has more than {} blocks on {} ranks, too many to "
                              "follow each",
                              traffic.name(), most_blocks, traffic.ranks()));
    }
  }
  std::ranges::stable_sort(streams_, {}, &Stream::destination);
}

const std::vector<StageMessage>& TrafficFlow::next_stage() {
  moved_.clear();
  for (std::size_t begin = 0; begin < streams_.size();) {
    std::size_t end = begin;
    while (end < streams_.size() && streams_[end].destination == streams_[begin].destination) ++end;
    move_on(begin, end);
    begin = end;
  }
  std::swap(streams_, moved_);
  return sums_.sum_up(stage_++);
}

/// The streams for one destination.
void TrafficFlow::move_on(std::size_t begin, std::size_t end) {
  const auto first = static_cast<std::ptrdiff_t>(moved_.size());
  for (std::size_t i = begin; i < end; ++i) {
    const Stream& stream = streams_[i];
    pieces_.clear();
    algorithm_.route(stage_, stream.holder, stream.destination, stream.bytes, pieces_);
    for (const Piece& piece : pieces_) {
      sums_.add(stream.holder, piece.to, piece.end - piece.begin);
      moved_.push_back({stream.destination, piece.to, piece.end - piece.begin});
    }
  }
  std::sort(moved_.begin() + first, moved_.end(),
            [](const Stream& a, const Stream& b) { return a.holder < b.holder; });
  auto last = moved_.begin() + first;
  for (auto next = last; next != moved_.end(); ++next) {
    if (next == last) continue;
    if (next->holder == last->holder) {
      last->bytes += next->bytes;
    } else {
      *++last = *next;
    }
  }
  if (last != moved_.end()) moved_.erase(last + 1, moved_.end());
}

EvenFlow::EvenFlow(const Algorithm& algorithm, Bytes block)
    : algorithm_(algorithm),
      classes_(classes_of(algorithm)),
      held_(index_of(classes_.count()), std::vector<Bytes>(index_of(algorithm.ranks()), block)),
      sums_(algorithm) {
  if (block < 0) {
    throw Error(ErrorKind::argument,
                fmt::format("a block has {} bytes, but must have 0 or more", block));
  }
}

const std::vector<StageMessage>& EvenFlow::next_stage() {
  for (Rank number = 0; number < classes_.count(); ++number) {
    const Rank destination = classes_.representative(number);
    std::vector<Bytes>& held = held_[index_of(number)];
    moved_.assign(held.size(), 0);
    for (Rank rank = 0; rank < classes_.ranks(); ++rank) {
      if (held[index_of(rank)] == 0) continue;
      pieces_.clear();
      algorithm_.route(stage_, rank, destination, held[index_of(rank)], pieces_);
      const Rank sender = classes_.representative(classes_.class_of(rank));
      for (const Piece& piece : pieces_) {
        sums_.add(sender, classes_.shifted(piece.to, rank), piece.end - piece.begin);
        moved_[index_of(piece.to)] += piece.end - piece.begin;
      }
    }
    std::swap(held, moved_);
  }
  return sums_.sum_up(stage_++);
}

}  // namespace shunt
