// What one rank holds between two stages, and how it is sorted into the next stage's messages.
#pragma once

#include <span>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "routing/contents.hpp"

namespace shunt {

/// Bytes in one of the places that hold a rank's data: before the first stage, place k is the block
/// for rank k; later it is the k-th message received, senders ascending.
struct Range {
  std::size_t place;
  Bytes offset;
  Bytes length;
};

/// One stream of bytes per destination, each a sequence of ranges. Empty streams are not kept.
class Streams {
 public:
  struct Stream {
    Rank destination;
    Bytes length;
    std::span<const Range> ranges;
  };

  /// The streams before the first stage: one block of counts[j] bytes for each rank j.
  void set_blocks(std::span<const Bytes> counts);

  /// The streams after a stage: what the messages, senders ascending, hold for each destination.
  void set_messages(Rank ranks, std::span<const Contents> messages);

  [[nodiscard]] std::size_t size() const { return destinations_.size(); }
  [[nodiscard]] Stream operator[](std::size_t index) const;

 private:
  std::vector<Rank> destinations_;  ///< ascending
  std::vector<Bytes> lengths_;
  std::vector<std::size_t> first_;  ///< by stream: its first range; one more at the end
  std::vector<Range> ranges_;
};

/// A message to be sent: its contents, and its payload as ranges in the order of the payload.
struct Outgoing {
  Rank to = kNoRank;
  Bytes payload = 0;
  Contents contents;
  std::vector<Range> ranges;
};

/// Sorts the streams of `rank` into the messages of `stage`: one per step that sends, in the order
/// of the steps; some may be empty. Reuses the memory of `messages`.
void sort_out(const Algorithm& algorithm, int stage, Rank rank, const Streams& streams,
              std::span<const Step> steps, std::vector<Outgoing>& messages);

}  // namespace shunt
