// Which ranks send to which in the redistribution of an array, and in which step.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lab/schedules/length_schedule.hpp"
#include "model/ldd.hpp"
#include "schedule/redistribution_schedule.hpp"
#include "shunt/types.hpp"
#include "tools/common/table.hpp"

namespace shunt {

/// The tables of Guo 2000, Figs. 5, 7 and 8: communication table, scheduling table, and what is
/// received (Section 4.4).
class RedistributionView {
 public:
  /// Makes the view of a redistribution. `from` and `to` are by dimension, with equal extents, and
  /// their places are numbered in one order. `lengths`: puts messages of similar lengths into a
  /// step; else uses a published algorithm, where there is one. Throws Error(argument) where there
  /// are too many places to show, and Error(count) as `block_stride` does.
  RedistributionView(const std::vector<BlockCyclic>& from, const std::vector<BlockCyclic>& to,
                     PlaceOrder order, std::optional<LengthRule> lengths);

  [[nodiscard]] std::string text() const;
  [[nodiscard]] nlohmann::json json() const;

 private:
  using Rows = std::vector<std::vector<Rank>>;

  void count_elements(const RedistributionSchedule& schedule);
  /// Chooses steps by Guo's algorithms where they apply, from the senders' side or from that of the
  /// receivers, which then find their senders.
  void choose_published();
  /// Takes these steps, unless two messages go to one place in a step, or some message is none of
  /// this array.
  void accept(const std::string& rule, Rows sends, Rows receives);
  template <class Schedule>
  void take(const std::string& rule, const Schedule& schedule);
  [[nodiscard]] StepCost cost() const;
  [[nodiscard]] Table communication() const;
  [[nodiscard]] Bytes messages() const;

  std::vector<BlockCyclic> from_;
  std::vector<BlockCyclic> to_;
  std::string rule_;                          ///< by which the steps are chosen
  Rows sends_;                                ///< by sender and step: to whom, or kNoRank
  Rows receives_;                             ///< by receiver and step: from whom, or kNoRank
  std::vector<std::vector<Index>> elements_;  ///< by sender and receiver
};

}  // namespace shunt
