#include "lab/simulation/simulate.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "lab/flow/allgather_flow.hpp"
#include "lab/flow/traffic_flow.hpp"
#include "lab/simulation/stage_times.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// Bytes that ranks copy, by class.
using Copied = std::vector<Bytes>;

/// What is simulated, an exchange or an all-gather, as far as that matters beside its messages.
struct Subject {
  std::string name;
  Rank ranks;
  int stages;
  const Machine* port_contention_free_on;
  std::function<Way(int stage, Rank from, Rank to)> way_round;
  bool copies;
};

Subject subject_of(const Algorithm& algorithm) {
  return {algorithm.name(),
          algorithm.ranks(),
          algorithm.stages(),
          algorithm.port_contention_free_on(),
          [&](int stage, Rank from, Rank to) { return algorithm.way_round(stage, from, to); },
          true};
}

Subject subject_of(const Allgather& allgather) {
  return {allgather.name(),
          allgather.ranks(),
          allgather.stages(),
          allgather.port_contention_free_on(),
          [](int, Rank, Rank) { return Way::forward; },
          false};
}

/// The messages of an all-gather, each of one piece.
class AllgatherByStages final : public FlowByStages {
 public:
  explicit AllgatherByStages(const Allgather& allgather)
      : classes_(allgather.ranks()), flow_(follow_allgather(allgather)) {}

  [[nodiscard]] const RankClasses& classes() const override { return classes_; }

  const std::vector<StageMessage>& next_stage() override {
    messages_.clear();
    for (const SizedMessage& message : flow_[stage_++]) {
      messages_.push_back({message.step, message.from, message.to, message.bytes, 1});
    }
    return messages_;
  }

 private:
  RankClasses classes_;
  AllgatherFlow flow_;
  std::size_t stage_ = 0;
  std::vector<StageMessage> messages_;
};

/// The messages of the linear exchange: each of one block, its step the receiver.
class LinearFlow final : public FlowByStages {
 public:
  LinearFlow(const Traffic& traffic, Bytes element) : classes_(traffic.ranks()) {
    const Rank ranks = traffic.ranks();
    const auto blocks = static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks);
    if (blocks > TrafficFlow::kMostBlocks) {
      throw Error(ErrorKind::argument,
                  fmt::format("{} ranks send {} messages, but at most {} can be followed", ranks,
                              blocks, TrafficFlow::kMostBlocks));
    }
    messages_.reserve(blocks);
    for (Rank to = 0; to < ranks; ++to) {
      for (Rank from = 0; from < ranks; ++from) {
        messages_.push_back({to, from, to, traffic.count(from, to) * element, 1});
      }
    }
  }

  [[nodiscard]] const RankClasses& classes() const override { return classes_; }
  const std::vector<StageMessage>& next_stage() override { return messages_; }

 private:
  RankClasses classes_;
  std::vector<StageMessage> messages_;
};

class Simulator {
 public:
  Simulator(Subject subject, FlowByStages& flow, const PortMachine& machine, Transfers transfers)
      : subject_(std::move(subject)), flow_(flow), machine_(machine), transfers_(transfers) {}

  SimulatedExchange run() {
    result_.timeline.ranks = subject_.ranks;
    result_.timeline.stages = std::max(1, subject_.stages);
    for (int stage = 0; stage < subject_.stages; ++stage) run_stage(stage);
    result_.timeline.seconds = result_.seconds;
    return std::move(result_);
  }

 private:
  void run_stage(int stage) {
    const StageMessages messages{flow_.next_stage(), flow_.classes()};
    const double copied = stage == 0 ? seconds_of(copied_before(messages)) : 0;
    const bool meanwhile = copies_meanwhile();
    const double packed = meanwhile ? 0 : copied;
    const StageTimes times = times_of(stage, messages);
    SimulatedStage simulated = summary(messages);
    if (meanwhile) simulated.seconds = copied;
    const Copied received = copied_after(messages);
    for (std::size_t i = 0; i < received.size(); ++i) {
      const double copying = static_cast<double>(received[i]) * machine_.cost.copy;
      simulated.seconds = std::max(simulated.seconds, times.done[i] + copying);
    }
    simulated.seconds += packed;
    if (transfers_ == Transfers::keep) keep(stage, messages, times, result_.seconds + packed);
    result_.seconds += simulated.seconds;
    result_.stages.push_back(simulated);
  }

  [[nodiscard]] StageTimes times_of(int stage, const StageMessages& messages) const {
    if (const auto* const links = std::get_if<ArrayLinks>(&machine_.network)) {
      return all_ports(messages, machine_.cost, *links,
                       [&](Rank from, Rank to) { return subject_.way_round(stage, from, to); });
    }
    if (const auto* const nodes = std::get_if<NodePorts>(&machine_.network)) {
      if (nodes->posting == Posting::at_once) return all_at_once(messages, machine_.cost, *nodes);
      const Machine* const spared = subject_.port_contention_free_on;
      if (spared != nullptr && *spared == nodes->nodes) {
        return step_by_step_in_turns(messages, machine_.cost, *nodes);
      }
      return step_by_step_on_ports(messages, machine_.cost, *nodes);
    }
    return step_by_step(messages, machine_.cost);
  }

  [[nodiscard]] bool copies_meanwhile() const {
    const auto* const nodes = std::get_if<NodePorts>(&machine_.network);
    return subject_.stages == 1 && nodes != nullptr && nodes->posting == Posting::at_once;
  }

  [[nodiscard]] Copied copied_before(const StageMessages& stage) const {
    Copied copied(static_cast<std::size_t>(stage.classes.count()), 0);
    if (!subject_.copies) return copied;
    for (const StageMessage& message : stage.messages) {
      const bool copies = subject_.stages == 1 ? message.from == message.to : message.pieces > 1;
      if (copies) copied[index(stage, message.from)] += message.bytes;
    }
    return copied;
  }

  [[nodiscard]] Copied copied_after(const StageMessages& stage) const {
    Copied copied(static_cast<std::size_t>(stage.classes.count()), 0);
    if (!subject_.copies || subject_.stages == 1) return copied;
    return loads(stage);
  }

  [[nodiscard]] static Copied loads(const StageMessages& stage) {
    Copied loads(static_cast<std::size_t>(stage.classes.count()), 0);
    for (const StageMessage& message : stage.messages) {
      loads[index(stage, message.to)] += message.bytes;
    }
    return loads;
  }

  [[nodiscard]] static std::size_t index(const StageMessages& stage, Rank rank) {
    return static_cast<std::size_t>(stage.classes.class_of(rank));
  }

  [[nodiscard]] double seconds_of(const Copied& copied) const {
    return static_cast<double>(std::ranges::max(copied)) * machine_.cost.copy;
  }

  [[nodiscard]] static SimulatedStage summary(const StageMessages& stage) {
    SimulatedStage summary;
    const std::int64_t alike = stage.classes.ranks() / stage.classes.count();
    for (const StageMessage& message : stage.messages) {
      if (message.from == message.to) continue;
      summary.messages += alike;
      summary.longest_message = std::max(summary.longest_message, message.bytes);
    }
    summary.largest_load = std::ranges::max(loads(stage));
    return summary;
  }

  void keep(int stage, const StageMessages& messages, const StageTimes& times, double begin) {
    for (std::size_t i = 0; i < messages.messages.size(); ++i) {
      const StageMessage& message = messages.messages[i];
      if (message.from == message.to) continue;
      if (std::ssize(result_.timeline.transfers) == kMostTransfers) {
        throw Error(ErrorKind::argument,
                    fmt::format("what {} does has more than the {} messages that a timeline "
                                "can hold",
                                subject_.name, kMostTransfers));
      }
      result_.timeline.transfers.push_back({stage, message.from, message.to, message.bytes,
                                            begin + times.messages[i].begin,
                                            begin + times.messages[i].end});
    }
  }

  Subject subject_;
  FlowByStages& flow_;
  const PortMachine& machine_;
  Transfers transfers_;
  SimulatedExchange result_;
};

/// That the shifts by which ranks are alike are also shifts of the machine.
void check_symmetry(const PortMachine& machine, const RankClasses& classes) {
  if (std::holds_alternative<NodePorts>(machine.network)) {
    throw Error(ErrorKind::argument,
                "on nodes that share ports no rank can stand for all: every block must be "
                "followed, which takes a traffic");
  }
  const auto* const torus = std::get_if<ArrayLinks>(&machine.network);
  if (torus != nullptr && torus->rim == Rim::open) {
    throw Error(ErrorKind::argument,
                "on a mesh no rank can stand for all: every block must be followed, which takes a "
                "traffic");
  }
  if (torus != nullptr && torus->dimensions != *classes.array()) {
    throw Error(ErrorKind::argument,
                fmt::format("the machine is a torus of {}, but the algorithm is alike for the "
                            "ranks of a torus of {}",
                            torus->dimensions.name(), classes.array()->name()));
  }
}

}  // namespace

SimulatedExchange simulate(const Algorithm& algorithm, const Traffic& traffic, Bytes element,
                           const PortMachine& machine, Transfers transfers) {
  check_machine(machine, algorithm.ranks());
  TrafficFlow flow(algorithm, traffic, element);
  return Simulator(subject_of(algorithm), flow, machine, transfers).run();
}

SimulatedExchange simulate_linear(const Traffic& traffic, Bytes element,
                                  const PortMachine& machine) {
  check_machine(machine, traffic.ranks());
  const auto* const nodes = std::get_if<NodePorts>(&machine.network);
  const bool by_steps = nodes != nullptr && nodes->posting == Posting::by_steps;
  if (by_steps || std::holds_alternative<FlatNetwork>(machine.network)) {
    throw Error(ErrorKind::argument,
                "a linear exchange is posted at once, but the machine's messages go by steps");
  }
  LinearFlow flow(traffic, element);
  const auto forward = [](int, Rank, Rank) { return Way::forward; };
  return Simulator({"linear", traffic.ranks(), 1, nullptr, forward, true}, flow, machine,
                   Transfers::forget)
      .run();
}

SimulatedExchange simulate(const Allgather& allgather, const PortMachine& machine,
                           Transfers transfers) {
  check_machine(machine, allgather.ranks());
  AllgatherByStages flow(allgather);
  return Simulator(subject_of(allgather), flow, machine, transfers).run();
}

SimulatedExchange simulate_even(const Algorithm& algorithm, Bytes block,
                                const PortMachine& machine) {
  check_machine(machine, algorithm.ranks());
  EvenFlow flow(algorithm, block);
  check_symmetry(machine, flow.classes());
  return Simulator(subject_of(algorithm), flow, machine, Transfers::forget).run();
}

}  // namespace shunt
