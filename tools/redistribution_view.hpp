// Who sends to whom in the redistribution of a dimension of an array, and in which step.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/block_cyclic.hpp"
#include "shunt/types.hpp"
#include "table.hpp"

namespace shunt {

/// The tables of Guo 2000, Figs. 5 and 7: communication table, scheduling table, and what is
/// received (Section 4.4).
class RedistributionView {
 public:
  /// Both are of one extent. Throws Error(argument) where there are too many places to show, and
  /// Error(count) as `block_stride` does.
  RedistributionView(const BlockCyclic& from, const BlockCyclic& to);

  [[nodiscard]] std::string text() const;
  [[nodiscard]] nlohmann::json json() const;

 private:
  [[nodiscard]] Table communication() const;

  BlockCyclic from_;
  BlockCyclic to_;
  /// By Algorithm 1 where it applies: one block is a multiple of the other, and the side with the
  /// shorter ones has no fewer places. From the receivers' side, it says who receives from whom.
  std::string rule_;
  std::vector<std::vector<Rank>> sends_;     ///< by sender and step: to whom, or kNoRank
  std::vector<std::vector<Rank>> receives_;  ///< by receiver and step: from whom, or kNoRank
  std::vector<std::vector<bool>> meets_;     ///< by sender and receiver
};

}  // namespace shunt
