// Which ranks send to which at which step, in the form of Liu 2002, Figs. 6, 9 and 10.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "schedule/step.hpp"

namespace shunt {

/// One column per sender, one line per step with the receivers. X marks a step in which the sender
/// waits; where it has nothing more to send, the table is blank.
class ScheduleTable {
 public:
  explicit ScheduleTable(int step_count) : step_count_(step_count) {}

  /// A sender with its number within its row or column; kNoRank if it is none of that row's.
  void add(Rank sender, Rank number, const std::vector<Step>& steps);

  /// From now on, a receiver that two of the senders serve in one step is marked by an asterisk.
  void mark_contention() { marks_contention_ = true; }

  /// At most 80 columns wide: further senders follow below. `numbered` is what the first line says
  /// that the numbers are ("Column no."); empty: no such line.
  [[nodiscard]] std::string text(const std::string& numbered) const;

  [[nodiscard]] nlohmann::json json() const;

  friend bool operator==(const ScheduleTable&, const ScheduleTable&) = default;

 private:
  struct Sender {
    Rank rank;
    Rank number;
    std::vector<Rank> receivers;  ///< by step

    friend bool operator==(const Sender&, const Sender&) = default;
  };

  [[nodiscard]] std::string cell(const Sender& sender, int step) const;
  [[nodiscard]] bool contended(Rank receiver, int step) const;

  int step_count_;
  bool marks_contention_ = false;
  std::vector<Sender> senders_;
};

}  // namespace shunt
