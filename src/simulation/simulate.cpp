#include "simulation/simulate.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "routing/traffic_flow.hpp"
#include "shunt/error.hpp"
#include "simulation/stage_times.hpp"

namespace shunt {

namespace {

/// Bytes that ranks copy, by class.
using Copied = std::vector<Bytes>;

class Simulator {
 public:
  Simulator(const Algorithm& algorithm, FlowByStages& flow, const PortMachine& machine,
            Transfers transfers)
      : algorithm_(algorithm), flow_(flow), machine_(machine), transfers_(transfers) {}

  SimulatedExchange run() {
    result_.timeline.ranks = algorithm_.ranks();
    result_.timeline.stages = algorithm_.stages();
    for (int stage = 0; stage < algorithm_.stages(); ++stage) run_stage(stage);
    result_.timeline.seconds = result_.seconds;
    return std::move(result_);
  }

 private:
  void run_stage(int stage) {
    const StageMessages messages{flow_.next_stage(), flow_.classes()};
    const double packed = stage == 0 ? seconds_of(copied_before(messages)) : 0;
    const StageTimes times = times_of(stage, messages);
    SimulatedStage simulated = summary(messages);
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
    if (const auto* const torus = std::get_if<TorusLinks>(&machine_.network)) {
      return all_ports(messages, machine_.cost, torus->dimensions,
                       [&](Rank from, Rank to) { return algorithm_.way_round(stage, from, to); });
    }
    if (const auto* const nodes = std::get_if<NodePorts>(&machine_.network)) {
      const Machine* const spared = algorithm_.spares_ports_of();
      if (spared != nullptr && *spared == nodes->nodes) {
        return step_by_step_in_turns(messages, machine_.cost, *nodes);
      }
      return step_by_step_on_ports(messages, machine_.cost, *nodes);
    }
    return step_by_step(messages, machine_.cost);
  }

  [[nodiscard]] Copied copied_before(const StageMessages& stage) const {
    Copied copied(static_cast<std::size_t>(stage.classes.count()), 0);
    for (const StageMessage& message : stage.messages) {
      const bool copies =
          algorithm_.stages() == 1 ? message.from == message.to : message.pieces > 1;
      if (copies) copied[index(stage, message.from)] += message.bytes;
    }
    return copied;
  }

  [[nodiscard]] Copied copied_after(const StageMessages& stage) const {
    Copied copied(static_cast<std::size_t>(stage.classes.count()), 0);
    if (algorithm_.stages() == 1) return copied;
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
                    fmt::format("the exchange by {} has more than the {} messages that a timeline "
                                "can hold",
                                algorithm_.name(), kMostTransfers));
      }
      result_.timeline.transfers.push_back({stage, message.from, message.to, message.bytes,
                                            begin + times.messages[i].begin,
                                            begin + times.messages[i].end});
    }
  }

  const Algorithm& algorithm_;
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
  const auto* const torus = std::get_if<TorusLinks>(&machine.network);
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
  return Simulator(algorithm, flow, machine, transfers).run();
}

SimulatedExchange simulate_even(const Algorithm& algorithm, Bytes block,
                                const PortMachine& machine) {
  check_machine(machine, algorithm.ranks());
  EvenFlow flow(algorithm, block);
  check_symmetry(machine, flow.classes());
  return Simulator(algorithm, flow, machine, Transfers::forget).run();
}

}  // namespace shunt
