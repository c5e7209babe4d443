// The messages of one stage, summed up from the pieces of streams.
#pragma once

#include <span>
#include <vector>

#include "algorithms/algorithm.hpp"

namespace shunt {

/// One message that is not empty.
struct StageMessage {
  int step = 0;
  Rank from = 0;
  Rank to = 0;
  Bytes bytes = 0;
  Bytes pieces = 0;  ///< of streams

  friend bool operator==(const StageMessage&, const StageMessage&) = default;
};

/// Sums up the messages of a stage. Costs memory for the pieces and the ranks, and time for the
/// pieces and the steps of those ranks that send anything, however many ranks and steps there are.
class MessageSums {
 public:
  /// 2^26 pieces of 16 bytes, twice, are 2 GiB.
  static constexpr std::size_t kMostPieces = std::size_t{1} << 26;

  /// `algorithm` must outlive the sums.
  explicit MessageSums(const Algorithm& algorithm, std::size_t most_pieces = kMostPieces);

  /// Adds a piece. Throws Error(argument) where the pieces of a stage are more than are to be kept.
  void add(Rank from, Rank to, Bytes bytes);

  /// The messages of `stage`, by step, then by sender, made of all that was added since the last
  /// call. Throws Error(argument) where looking them up in the schedule would take too long.
  [[nodiscard]] const std::vector<StageMessage>& sum_up(int stage);

 private:
  struct Part {
    Rank from;
    Rank to;
    Bytes bytes;
  };

  void sort_by_sender();
  void sum_up_sender(int stage, std::span<const Part> parts);

  const Algorithm& algorithm_;
  std::size_t most_pieces_;
  std::vector<Part> parts_;
  std::vector<Part> by_sender_;
  std::vector<std::size_t> first_;  ///< by sender: its first part; one more at the end
  std::vector<StageMessage> of_target_;
  std::vector<StageMessage> messages_;
};

}  // namespace shunt
