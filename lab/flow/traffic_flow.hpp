// A traffic followed through an algorithm stage by stage: the messages that are not empty.
#pragma once

#include <vector>

#include "algorithms/algorithm.hpp"
#include "lab/flow/message_sums.hpp"
#include "lab/flow/rank_classes.hpp"
#include "lab/traffic/traffic.hpp"

namespace shunt {

/// Yields the messages of one stage after the other.
class FlowByStages {
 public:
  virtual ~FlowByStages() = default;

  /// Returns the classes of ranks: only the representatives' messages are yielded.
  [[nodiscard]] virtual const RankClasses& classes() const = 0;

  /// The messages of the next stage, by step, then by sender; valid until the next call.
  virtual const std::vector<StageMessage>& next_stage() = 0;
};

/// Follows every block. Global view: costs time and memory for the pieces of a stage, whether the
/// ranks are few and all have data for all, or many and have data for few.
class TrafficFlow final : public FlowByStages {
 public:
  /// 2^25 blocks of 16 bytes, and as many after a stage, are 1 GiB.
  static constexpr std::size_t kMostBlocks = std::size_t{1} << 25;

  /// In elements of `element` bytes. `algorithm` must outlive the flow. Throws Error(argument)
  /// where there are other ranks, too many blocks, or blocks that the algorithm does not carry.
  TrafficFlow(const Algorithm& algorithm, const Traffic& traffic, Bytes element,
              std::size_t most_blocks = kMostBlocks);

  [[nodiscard]] const RankClasses& classes() const override { return classes_; }
  const std::vector<StageMessage>& next_stage() override;

 private:
  /// What a rank holds for a destination.
  struct Stream {
    Rank destination;
    Rank holder;
    Bytes bytes;
  };

  void move_on(std::size_t begin, std::size_t end);

  const Algorithm& algorithm_;
  RankClasses classes_;
  int stage_ = 0;
  std::vector<Stream> streams_;  ///< by destination, then by holder
  std::vector<Stream> moved_;
  std::vector<Piece> pieces_;
  MessageSums sums_;
};

/// A complete exchange of equal blocks on an algorithm with a symmetry: what one destination of
/// each class is sent shows what one sender of each class sends. So the cuts of a message's pieces
/// are those of shifted destinations: its length is exact where no cut is rounded; otherwise the
/// roundings of all stages so far add up. Costs O(ranks * pieces per stream) a stage for each
/// class.
class EvenFlow final : public FlowByStages {
 public:
  /// Blocks of `block` bytes. Throws Error(argument) where the algorithm promises no symmetry.
  EvenFlow(const Algorithm& algorithm, Bytes block);

  [[nodiscard]] const RankClasses& classes() const override { return classes_; }
  const std::vector<StageMessage>& next_stage() override;

 private:
  const Algorithm& algorithm_;
  RankClasses classes_;
  int stage_ = 0;
  std::vector<std::vector<Bytes>> held_;  ///< for the representative of a class, by rank
  std::vector<Bytes> moved_;
  std::vector<Piece> pieces_;
  MessageSums sums_;
};

}  // namespace shunt
