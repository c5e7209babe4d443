#include "lab/proof/checker.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace shunt {

namespace {

/// One message of the global schedule.
struct Message {
  Rank from;
  Rank to;
  int step;

  friend auto operator<=>(const Message&, const Message&) = default;
};

/// What a rank has to do with another node in one step.
struct PortUse {
  Rank node;
  int step;
  Rank rank;
  Rank peer;

  friend auto operator<=>(const PortUse&, const PortUse&) = default;
};

class Check {
 public:
  Check(Rank ranks, int step_count) : ranks_(ranks), step_count_(step_count) {}

  void enter(Rank rank, const std::vector<Step>& steps) {
    int previous = 0;
    for (const Step& step : steps) {
      if (step.number <= previous) {
        report("rank {} has step {} after step {}", rank, step.number, previous);
      }
      if (step.number < 1 || step.number > step_count_) {
        report("rank {} has step {}, outside 1..{}", rank, step.number, step_count_);
      }
      previous = step.number;
      last_used_ = std::max(last_used_, step.number);
      if (step.to != kNoRank && within(rank, step.to))
        sent_.push_back({rank, step.to, step.number});
      if (step.from != kNoRank && within(rank, step.from)) {
        received_.push_back({step.from, rank, step.number});
      }
    }
  }

  std::vector<std::string> finish() {
    if (last_used_ < step_count_) {
      report("the last step used is {}, not the stated {}", last_used_, step_count_);
    }
    std::ranges::sort(sent_);
    std::ranges::sort(received_);
    for (std::size_t i = 1; i < sent_.size(); ++i) {
      if (sent_[i].from == sent_[i - 1].from && sent_[i].to == sent_[i - 1].to) {
        report("rank {} sends to rank {} twice, in steps {} and {}", sent_[i].from, sent_[i].to,
               sent_[i - 1].step, sent_[i].step);
      }
    }
    std::vector<Message> difference;
    std::ranges::set_difference(sent_, received_, std::back_inserter(difference));
    for (const Message& message : difference) {
      report("rank {} sends to rank {} in step {}, which does not expect it then", message.from,
             message.to, message.step);
    }
    difference.clear();
    std::ranges::set_difference(received_, sent_, std::back_inserter(difference));
    for (const Message& message : difference) {
      report("rank {} expects rank {} in step {}, which does not send then", message.to,
             message.from, message.step);
    }
    return std::move(violations_);
  }

 private:
  bool within(Rank rank, Rank peer) {
    if (peer >= 0 && peer < ranks_) return true;
    report("rank {} names rank {}, which does not exist", rank, peer);
    return false;
  }

  template <class... Arguments>
  void report(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    violations_.push_back(fmt::format(format, std::forward<Arguments>(arguments)...));
  }

  Rank ranks_;
  int step_count_;
  int last_used_ = 0;
  std::vector<Message> sent_;
  std::vector<Message> received_;
  std::vector<std::string> violations_;
};

}  // namespace

std::vector<std::string> check_schedule(Rank ranks, int step_count,
                                        const std::function<std::vector<Step>(Rank)>& steps_of) {
  Check check(ranks, step_count);
  for (Rank rank = 0; rank < ranks; ++rank) check.enter(rank, steps_of(rank));
  return check.finish();
}

std::vector<std::string> check_node_ports(const Machine& machine,
                                          const std::function<std::vector<Step>(Rank)>& steps_of) {
  std::vector<PortUse> uses;
  for (Rank rank = 0; rank < machine.ranks(); ++rank) {
    const Rank node = machine.node_of(rank);
    auto enter = [&](const Step& step, Rank peer) {
      if (peer == kNoRank || machine.node_of(peer) == node) return;
      uses.push_back({node, step.number, rank, peer});
    };
    for (const Step& step : steps_of(rank)) {
      enter(step, step.to);
      if (step.from != step.to) enter(step, step.from);
    }
  }
  std::ranges::sort(uses);
  std::vector<std::string> violations;
  for (std::size_t i = 1; i < uses.size(); ++i) {
    const PortUse& first = uses[i - 1];
    const PortUse& second = uses[i];
    if (first.node != second.node || first.step != second.step) continue;
    violations.push_back(fmt::format(
        "node {} is at work twice in step {}: rank {} with rank {} and rank {} with rank {}",
        second.node, second.step, first.rank, first.peer, second.rank, second.peer));
  }
  return violations;
}

}  // namespace shunt
