// Messages that are posted at once, against a walk from moment to moment that knows of no lanes.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "lab/simulation/random_machine.hpp"
#include "lab/simulation/simulate.hpp"
#include "lab/simulation/stage_times.hpp"
#include "lab/traffic/traffic_sparse.hpp"
#include "pure/function_traffic.hpp"
#include "support/expect_error.hpp"

namespace shunt {
namespace {

using test::expect_error;

constexpr LinkCost kCost{5, 0.01, 0};

NodePorts shared_ports(const Machine& nodes) { return {nodes, 2, 0.004, Posting::at_once}; }

/// All messages of a traffic; at step k those to the k-th rank after the sender, or to rank k.
std::vector<StageMessage> stage_of(const Traffic& traffic, bool rotated) {
  std::vector<StageMessage> messages;
  const Rank ranks = traffic.ranks();
  for (int step = 0; step < ranks; ++step) {
    for (Rank from = 0; from < ranks; ++from) {
      const Rank to = rotated ? (from + step) % ranks : step;
      messages.push_back({step, from, to, traffic.count(from, to), 1});
    }
  }
  return messages;
}

/// Raises the rates of all messages alike until a port is full, then those of the others.
class SharedWalk {
 public:
  SharedWalk(const std::vector<StageMessage>& messages, const NodePorts& machine)
      : messages_(messages), machine_(machine), ends_(messages.size(), 0) {
    std::vector<double> posted(static_cast<std::size_t>(machine.nodes.ranks()), 0);
    for (const StageMessage& message : messages) {
      double& time = posted[static_cast<std::size_t>(message.from)];
      if (message.from != message.to) time += inside(message) ? 2 : kCost.start_up;
      starts_.push_back(time);
      left_.push_back(static_cast<double>(message.bytes) *
                      (inside(message) ? machine.inside_per_byte : kCost.per_byte));
    }
  }

  std::vector<double> run() {
    std::vector<bool> over(messages_.size(), false);
    double now = 0;
    for (;;) {
      std::vector<std::size_t> under_way;
      double next = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < messages_.size(); ++i) {
        if (over[i] || messages_[i].from == messages_[i].to) continue;
        if (starts_[i] > now) {
          next = std::min(next, starts_[i]);
        } else if (left_[i] < 1e-9) {
          over[i] = true;
          ends_[i] = now;
        } else {
          under_way.push_back(i);
        }
      }
      const std::vector<double> rates = rates_of(under_way);
      for (std::size_t k = 0; k < under_way.size(); ++k) {
        next = std::min(next, now + left_[under_way[k]] / rates[k]);
      }
      if (next == std::numeric_limits<double>::infinity()) return ends_;
      for (std::size_t k = 0; k < under_way.size(); ++k) {
        left_[under_way[k]] -= rates[k] * (next - now);
      }
      now = next;
    }
  }

 private:
  [[nodiscard]] Rank node(Rank rank) const { return machine_.nodes.node_of(rank); }
  [[nodiscard]] bool inside(const StageMessage& message) const {
    return node(message.from) == node(message.to);
  }

  [[nodiscard]] std::vector<std::string> ports(const StageMessage& message) const {
    if (inside(message)) return {fmt::format("memory {}", node(message.from))};
    return {fmt::format("out {}", node(message.from)), fmt::format("in {}", node(message.to))};
  }

  [[nodiscard]] std::vector<double> rates_of(const std::vector<std::size_t>& under_way) const {
    std::vector<double> rates(under_way.size(), 0);
    std::vector<bool> rising(under_way.size(), true);
    std::map<std::string, double> free;
    for (const std::size_t i : under_way) {
      for (const std::string& port : ports(messages_[i])) free[port] = 1;
    }
    while (std::ranges::find(rising, true) != rising.end()) {
      std::map<std::string, int> users;
      for (std::size_t k = 0; k < under_way.size(); ++k) {
        if (!rising[k]) continue;
        for (const std::string& port : ports(messages_[under_way[k]])) ++users[port];
      }
      double rise = 1;
      for (const auto& [port, count] : users) rise = std::min(rise, free[port] / count);
      for (const auto& [port, count] : users) free[port] -= rise * count;
      for (std::size_t k = 0; k < under_way.size(); ++k) {
        if (!rising[k]) continue;
        rates[k] += rise;
        for (const std::string& port : ports(messages_[under_way[k]])) {
          if (free[port] < 1e-12) rising[k] = false;
        }
      }
    }
    return rates;
  }

  const std::vector<StageMessage>& messages_;
  const NodePorts& machine_;
  std::vector<double> starts_;
  std::vector<double> left_;  ///< by message: seconds alone
  std::vector<double> ends_;
};

TEST(SharedTimes, AreThoseOfAWalk) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const NodePorts nodes = shared_ports(random_machine(seed, 4, 3));
    const Rank ranks = nodes.nodes.ranks();
    const RankClasses classes(ranks);
    for (const FunctionTraffic& traffic : hard_traffics(ranks)) {
      for (const bool rotated : {false, true}) {
        const std::string what =
            fmt::format("machine {}, {}, rotated {}", seed, traffic.name(), rotated);
        const std::vector<StageMessage> messages = stage_of(traffic, rotated);
        const StageTimes times = all_at_once({messages, classes}, kCost, nodes);
        const std::vector<double> ends = SharedWalk(messages, nodes).run();
        std::vector<double> done(static_cast<std::size_t>(ranks), 0);
        for (std::size_t i = 0; i < messages.size(); ++i) {
          ASSERT_NEAR(times.messages[i].end, ends[i], 1e-7) << what << ", message " << i;
          for (const Rank rank : {messages[i].from, messages[i].to}) {
            double& last = done[static_cast<std::size_t>(rank)];
            last = std::max(last, ends[i]);
          }
        }
        for (std::size_t rank = 0; rank < done.size(); ++rank) {
          ASSERT_NEAR(times.done[rank], done[rank], 1e-7) << what << ", rank " << rank;
        }
      }
    }
  }
}

TEST(SharedTimes, BeginWithTheStartUp) {
  const NodePorts nodes = shared_ports(Machine::of_sizes(std::array<Rank, 2>{2, 1}));
  const RankClasses classes(3);
  const std::vector<StageMessage> messages{{1, 0, 1, 100, 1}, {2, 0, 2, 100, 1}};
  const StageTimes times = all_at_once({messages, classes}, kCost, nodes);
  EXPECT_EQ(times.messages[0].begin, 0);
  EXPECT_EQ(times.messages[1].begin, 2);
  EXPECT_NEAR(times.messages[1].end, 8, 1e-12);
}

PortMachine machine_of(const Machine& nodes, const LinkCost& cost) {
  return {NodePorts{nodes, 0, 0, Posting::at_once}, cost};
}

/// Equal blocks without start-ups: every port is busy until all are there.
TEST(SharedTimes, OfEqualBlocksAreThoseOfThePorts) {
  for (const Rank ranks : {2, 6, 12, 30}) {
    const Machine nodes = Machine::blocked(ranks, 2);
    const PortMachine machine = machine_of(nodes, {0, 1e-9, 0});
    const double port = 2e-9 * (ranks - 2) * 1000;
    for (const char* name : {"linear", "pairwise"}) {
      EXPECT_NEAR(
          simulate(*make_algorithm(name, nodes, 512), uniform_traffic(ranks, 1000), 1, machine)
              .seconds,
          port, port * 1e-9)
          << name << " " << ranks;
    }
    EXPECT_NEAR(simulate_linear(uniform_traffic(ranks, 500), 2, machine).seconds, port, port * 1e-9)
        << ranks;
  }
}

/// Empty messages have start-ups too, unless they are Shunt's.
TEST(SharedTimes, OfALinearExchangeOfNothingAreItsStartUps) {
  const Machine nodes = Machine::blocked(9, 1);
  const PortMachine machine = machine_of(nodes, {3e-6, 1e-9, 0});
  EXPECT_NEAR(simulate_linear(uniform_traffic(9, 0), 1, machine).seconds, 24e-6, 1e-15);
  EXPECT_EQ(simulate_linear(uniform_traffic(9, 0), 1, machine).stages[0].messages, 72);
  EXPECT_EQ(
      simulate(*make_algorithm("linear", nodes, 512), uniform_traffic(9, 0), 1, machine).seconds,
      0);
}

TEST(SharedTimes, LeaveTimeForCopiesOfOnesOwn) {
  const Machine nodes = Machine::blocked(2, 1);
  const auto linear = make_algorithm("linear", nodes, 512);
  const auto seconds = [&](double copy) {
    return simulate(*linear, uniform_traffic(2, 1000), 1, machine_of(nodes, {0, 1e-9, copy}))
        .seconds;
  };
  EXPECT_NEAR(seconds(0.5e-9), 1e-6, 1e-15);
  EXPECT_NEAR(seconds(3e-9), 3e-6, 1e-15);
  // What has several stages copies what it packs, and then all that comes in each of them.
  const Machine more = Machine::blocked(16, 1);
  EXPECT_NEAR(simulate(*make_algorithm("row-column", more, 512), uniform_traffic(16, 100), 1,
                       machine_of(more, {0, 0, 1e-9}))
                  .seconds,
              3 * 1600e-9, 1e-15);
}

TEST(SharedTimes, RefuseMoreNodesThanTheyHaveRoomFor) {
  constexpr Rank kRanks = 2049;
  std::vector<SparseRow> rows(kRanks);
  rows[0] = {{kRanks - 1, 1}};
  const SparseTraffic one("one", std::move(rows));
  expect_error(ErrorKind::argument, "has 2049 nodes, but messages that are posted at once can be",
               [&] {
                 (void)simulate(*make_algorithm("linear", kRanks, 512), one, 1,
                                machine_of(Machine::blocked(kRanks, 1), {}));
               });
}

TEST(SharedTimes, RefuseALinearExchangeBySteps) {
  const auto linear_on = [](const PortMachine& machine, Rank ranks) {
    return [=] { (void)simulate_linear(uniform_traffic(ranks, 1), 1, machine); };
  };
  const std::string sentence = "posted at once, but the machine's messages go by steps";
  expect_error(ErrorKind::argument, sentence, linear_on({}, 4));
  expect_error(ErrorKind::argument, sentence,
               linear_on({NodePorts{Machine::blocked(4, 2), 0, 0}, {}}, 4));
  expect_error(ErrorKind::argument, "the set of nodes of the machine has 4 ranks, but 5",
               linear_on(machine_of(Machine::blocked(4, 2), {}), 5));
  expect_error(ErrorKind::argument,
               "6000 ranks send 36000000 messages, but at most 33554432 can be followed",
               linear_on(machine_of(Machine::blocked(6000, 3000), {}), 6000));
}

}  // namespace
}  // namespace shunt
