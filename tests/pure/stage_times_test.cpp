// The simulated stages against plain simulations of the same rules, rank by rank and link by link.
#include "lab/simulation/stage_times.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "lab/flow/traffic_flow.hpp"
#include "lab/simulation/random_machine.hpp"
#include "pure/function_traffic.hpp"

namespace shunt {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// The messages of a rank at a step; null where there is none.
struct Doing {
  const StageMessage* out = nullptr;
  const StageMessage* in = nullptr;
};

/// Walks the ranks of a stage from moment to moment. Between two moments nothing changes; at each,
/// all messages and all ranks are looked at.
class StageWalk {
 public:
  StageWalk(const std::vector<StageMessage>& messages, Rank ranks, const LinkCost& cost,
            const NodePorts* nodes, bool in_turns)
      : messages_(messages),
        cost_(cost),
        nodes_(nodes),
        in_turns_(in_turns),
        at_(static_cast<std::size_t>(ranks), 0),
        plans_(at_.size()),
        done_(at_.size(), 0) {
    for (const StageMessage& message : messages) {
      if (message.from == message.to) continue;
      plans_[static_cast<std::size_t>(message.from)][message.step].out = &message;
      plans_[static_cast<std::size_t>(message.to)][message.step].in = &message;
    }
    for (std::size_t rank = 0; rank < plans_.size(); ++rank) go_on(rank, 0);
  }

  StageTimes run() {
    double now = 0;
    while (now < kNever) {
      bool moved = true;
      while (moved) {
        moved = end_messages(now);
        moved = begin_steps(now) || moved;
        moved = give_ports(now) || moved;
      }
      now = next_moment(now);
    }
    StageTimes times;
    for (const StageMessage& message : messages_) {
      const State state = states_[&message];
      times.messages.push_back({state.begun, state.ends});
      if (message.from == message.to) times.messages.back() = {0, 0};
    }
    times.done = done_;
    return times;
  }

 private:
  struct State {
    double begun = kNever;    ///< the sender is at the step
    double awaited = kNever;  ///< the receiver is at the step
    double starts = kNever;   ///< under way
    double ends = kNever;
    bool over = false;
  };

  [[nodiscard]] bool crosses(const StageMessage& message) const {
    return nodes_ != nullptr &&
           nodes_->nodes.node_of(message.from) != nodes_->nodes.node_of(message.to);
  }

  [[nodiscard]] double ready(const StageMessage& message) {
    const State& state = states_[&message];
    const bool inside = nodes_ != nullptr && !crosses(message);
    return std::max(state.begun + (inside ? nodes_->inside_start_up : cost_.start_up),
                    state.awaited);
  }

  /// Takes a rank to its next step, which begins when it may.
  void go_on(std::size_t rank, double now) {
    done_[rank] = now;
    auto& plan = plans_[rank];
    auto next = at_[rank] == 0 ? plan.begin() : plan.upper_bound(at_[rank]);
    at_[rank] = next == plan.end() ? std::numeric_limits<int>::max() : next->first;
  }

  [[nodiscard]] Doing doing(std::size_t rank) {
    const auto found = plans_[rank].find(at_[rank]);
    return found == plans_[rank].end() ? Doing{} : found->second;
  }

  /// Whether no rank of the node has an earlier step with another node before it.
  [[nodiscard]] bool has_turn(std::size_t rank) {
    if (!in_turns_) return true;
    const Doing own = doing(rank);
    if (!(own.out != nullptr && crosses(*own.out)) && !(own.in != nullptr && crosses(*own.in))) {
      return true;
    }
    const Rank node = nodes_->nodes.node_of(static_cast<Rank>(rank));
    for (const Rank mate : nodes_->nodes.ranks_of(node)) {
      const auto other = static_cast<std::size_t>(mate);
      for (const auto& [number, step] : plans_[other]) {
        if (number < at_[other] || number >= at_[rank]) continue;
        if ((step.out != nullptr && crosses(*step.out)) ||
            (step.in != nullptr && crosses(*step.in))) {
          return false;
        }
      }
    }
    return true;
  }

  bool begin_steps(double now) {
    bool moved = false;
    for (std::size_t rank = 0; rank < plans_.size(); ++rank) {
      const Doing step = doing(rank);
      if (!has_turn(rank)) continue;
      if (step.out != nullptr && states_[step.out].begun == kNever) {
        states_[step.out].begun = now;
        moved = true;
      }
      if (step.in != nullptr && states_[step.in].awaited == kNever) {
        states_[step.in].awaited = now;
        moved = true;
      }
    }
    return moved;
  }

  /// Starts what is ready: the oldest first.
  bool give_ports(double now) {
    std::vector<const StageMessage*> waiting;
    for (const StageMessage& message : messages_) {
      if (message.from == message.to || states_[&message].starts != kNever) continue;
      if (ready(message) <= now) waiting.push_back(&message);
    }
    std::ranges::stable_sort(waiting, {}, [&](const StageMessage* m) { return ready(*m); });
    bool moved = false;
    for (const StageMessage* const message : waiting) {
      if (crosses(*message) && !in_turns_ && ports_busy(*message)) continue;
      State& state = states_[message];
      const bool inside = nodes_ != nullptr && !crosses(*message);
      const double per_byte = inside ? nodes_->inside_per_byte : cost_.per_byte;
      state.starts = now;
      state.ends = now + static_cast<double>(message->bytes) * per_byte;
      moved = true;
    }
    return moved;
  }

  [[nodiscard]] bool ports_busy(const StageMessage& message) {
    const Machine& nodes = nodes_->nodes;
    return std::ranges::any_of(messages_, [&](const StageMessage& other) {
      const State& state = states_[&other];
      return crosses(other) && state.starts != kNever && !state.over &&
             (nodes.node_of(other.from) == nodes.node_of(message.from) ||
              nodes.node_of(other.to) == nodes.node_of(message.to));
    });
  }

  bool end_messages(double now) {
    bool moved = false;
    for (const StageMessage& message : messages_) {
      State& state = states_[&message];
      if (state.over || state.ends > now) continue;
      state.over = true;
      moved = true;
      for (const Rank rank : {message.from, message.to}) {
        const auto place = static_cast<std::size_t>(rank);
        const Doing step = doing(place);
        if ((step.out == nullptr || states_[step.out].over) &&
            (step.in == nullptr || states_[step.in].over)) {
          go_on(place, now);
        }
      }
    }
    return moved;
  }

  double next_moment(double now) {
    double next = kNever;
    for (const StageMessage& message : messages_) {
      if (message.from == message.to) continue;
      for (const double moment : {ready(message), states_[&message].ends}) {
        if (moment > now) next = std::min(next, moment);
      }
    }
    return next;
  }

  const std::vector<StageMessage>& messages_;
  LinkCost cost_;
  const NodePorts* nodes_;
  bool in_turns_;
  std::vector<int> at_;  ///< by rank: the step it is at
  std::vector<std::map<int, Doing>> plans_;
  std::vector<double> done_;
  std::map<const StageMessage*, State> states_;
};

void expect_same(const StageTimes& times, const StageTimes& walked,
                 const std::vector<StageMessage>& messages, const std::string& what) {
  ASSERT_EQ(times.done.size(), walked.done.size());
  for (std::size_t rank = 0; rank < times.done.size(); ++rank) {
    ASSERT_NEAR(times.done[rank], walked.done[rank], 1e-9) << what << ", rank " << rank;
  }
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (messages[i].from == messages[i].to) continue;
    ASSERT_NEAR(times.messages[i].begin, walked.messages[i].begin, 1e-9) << what << " " << i;
    ASSERT_NEAR(times.messages[i].end, walked.messages[i].end, 1e-9) << what << " " << i;
  }
}

/// Costs that are sums of powers of two, so that what happens at once does so to the last digit.
constexpr LinkCost kWalkCost{64, 0.125, 0};

template <class Test>
void for_each_stage(const Algorithm& algorithm, const Test& test) {
  for (const FunctionTraffic& all : hard_traffics(algorithm.ranks())) {
    const FunctionTraffic traffic(all.name(), algorithm.ranks(), [&](Rank i, Rank j) {
      return algorithm.supports_pair(i, j) ? all.count(i, j) : 0;
    });
    TrafficFlow flow(algorithm, traffic, 1);
    for (int stage = 0; stage < algorithm.stages(); ++stage) {
      test(stage, flow.next_stage(),
           fmt::format("{}, {}, stage {}", algorithm.name(), all.name(), stage));
    }
  }
}

TEST(StageTimes, StepByStepAreThoseOfAWalk) {
  for (const Rank ranks : {1, 2, 5, 8, 11}) {
    const RankClasses classes(ranks);
    for (const std::string& name : algorithm_names(ranks)) {
      for_each_stage(*make_algorithm(name, ranks, 16),
                     [&](int, const std::vector<StageMessage>& messages, const std::string& what) {
                       expect_same(step_by_step({messages, classes}, kWalkCost),
                                   StageWalk(messages, ranks, kWalkCost, nullptr, false).run(),
                                   messages, what);
                     });
    }
  }
}

TEST(StageTimes, InTurnsAndOnPortsAreThoseOfAWalk) {
  for (const char* text : {"1,1", "1,2,3", "3,3,2", "4,4", "2,1,1,4"}) {
    const NodePorts nodes{Machine::parse(text, std::nullopt), 8, 0.0625};
    const Rank ranks = nodes.nodes.ranks();
    const RankClasses classes(ranks);
    for (const std::string name : {"linear", "four-stage", "pairwise", "bruck", "node-pairwise",
                                   "node-pairwise:printed", "leaders", "leaders:2"}) {
      const auto algorithm = make_algorithm(name, nodes.nodes, 16);
      for_each_stage(
          *algorithm, [&](int, const std::vector<StageMessage>& messages, const std::string& what) {
            expect_same(step_by_step_on_ports({messages, classes}, kWalkCost, nodes),
                        StageWalk(messages, ranks, kWalkCost, &nodes, false).run(), messages, what);
            if (algorithm->port_contention_free_on() == nullptr) return;
            expect_same(step_by_step_in_turns({messages, classes}, kWalkCost, nodes),
                        StageWalk(messages, ranks, kWalkCost, &nodes, true).run(), messages, what);
          });
    }
  }
}

/// A message, or half of one, on the links of its way, named by their ends and direction.
struct Flow {
  double bytes;
  std::vector<std::string> links;
};

std::vector<std::string> links_between(const Extents& torus, Rank from, Rank to, bool forward) {
  std::vector<std::string> links;
  std::vector<Rank> at = torus.coordinates(from);
  const std::vector<Rank> goal = torus.coordinates(to);
  for (std::size_t d = 0; d < at.size(); ++d) {
    const Rank extent = torus.extent(static_cast<int>(d));
    const Rank ahead = (goal[d] - at[d] + extent) % extent;
    const int direction = 2 * ahead < extent || (2 * ahead == extent && forward) ? 1 : -1;
    while (at[d] != goal[d]) {
      links.push_back(fmt::format("{} {} {}", fmt::join(at, ","), d, direction));
      at[d] = (at[d] + direction + extent) % extent;
    }
  }
  return links;
}

/// Every message gets the rate at which it ends when the simulator says so, start-ups aside. Then
/// no link carries more than it can, from the first moment to the last; and the last message is on
/// a link that is never idle.
TEST(StageTimes, OnATorusLinksCarryWhatTheyCan) {
  const LinkCost cost{0, 0.25, 0};
  for (const char* text : {"7", "2x3", "4x4", "3x2x4"}) {
    const Extents torus = Extents::parse(text);
    const RankClasses classes(torus.ranks());
    const WayRound both = [](Rank, Rank) { return Way::both; };
    for (const char* name : {"linear", "four-stage", "bruck"}) {
      for_each_stage(
          *make_algorithm(name, torus.ranks(), 16),
          [&](int, const std::vector<StageMessage>& messages, const std::string& what) {
            const StageTimes times = all_ports({messages, classes}, cost, {torus}, both);
            std::map<std::string, double> bytes;
            std::map<std::string, std::map<double, double>> rates;  // by the time they end
            double last = 0;
            for (std::size_t i = 0; i < messages.size(); ++i) {
              const StageMessage& m = messages[i];
              if (m.from == m.to) continue;
              last = std::max(last, times.messages[i].end);
              for (const bool forward : {true, false}) {
                const auto half =
                    static_cast<double>(forward ? m.bytes - m.bytes / 2 : m.bytes / 2);
                auto links = links_between(torus, m.from, m.to, forward);
                for (const std::string& link : links) {
                  bytes[link] += half;
                  rates[link][times.messages[i].end] += half / times.messages[i].end;
                }
              }
            }
            double busiest = 0;
            for (const auto& [link, sum] : bytes) busiest = std::max(busiest, sum);
            ASSERT_NEAR(last, busiest * cost.per_byte, 1e-9 * last) << what;
            for (const auto& [link, by_end] : rates) {
              double rate = 0;
              for (const auto& [end, of_these] : by_end) rate += of_these;
              ASSERT_LE(rate, (1 + 1e-9) / cost.per_byte) << what << ", link " << link;
            }
          });
    }
  }
}

TEST(StageTimes, OnATorusStartUpsOfALinkFollowEachOther) {
  const Extents ring({8});
  const RankClasses classes(8);
  // Two messages leave forward, one backward, and one goes both ways.
  const std::vector<StageMessage> messages{{1, 0, 1, 8, 1}, {2, 0, 2, 8, 1}, {3, 0, 7, 8, 1}};
  const auto ends_of = [&](const std::vector<StageMessage>& all, Way way) {
    std::vector<double> ends;
    for (const Span& span :
         all_ports({all, classes}, kWalkCost, {ring}, [&](Rank, Rank) { return way; }).messages) {
      ends.push_back(span.end);
    }
    return ends;
  };
  EXPECT_EQ(ends_of(messages, Way::both), (std::vector<double>{130, 130, 65}));
  EXPECT_EQ(ends_of({{1, 0, 4, 8, 1}}, Way::both), (std::vector<double>{64.5}));
  EXPECT_EQ(ends_of({{1, 0, 4, 8, 1}}, Way::backward), (std::vector<double>{65}));
  EXPECT_EQ(ends_of({{1, 0, 4, 1, 1}}, Way::both), (std::vector<double>{64.125}));
}

}  // namespace
}  // namespace shunt
