#include "lab/simulation/sends_in_order.hpp"

#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "lab/flow/message_sums.hpp"
#include "lab/flow/rank_classes.hpp"
#include "lab/simulation/port_machine.hpp"
#include "model/machine.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// That no processor has two messages in a step, nor any out of order.
class StepCheck {
 public:
  StepCheck(const char* what, Rank processors)
      : what_(what), last_(static_cast<std::size_t>(processors), -1) {}

  void pass(Rank processor, int step) {
    int& last = last_[static_cast<std::size_t>(processor)];
    if (step <= last) {
      throw Error(ErrorKind::argument, fmt::format("processor {} {} in step {} after step {}",
                                                   processor, what_, step, last));
    }
    last = step;
  }

 private:
  const char* what_;
  std::vector<int> last_;  ///< by processor
};

}  // namespace

std::vector<Span> send_in_order(std::span<const SizedMessage> messages, Rank processors,
                                const LinkCost& cost, Receiving receiving) {
  // A processor is a node: of one rank that sends; and of one that receives, or else one for every
  // message, which has nothing to do before.
  std::vector<Rank> node_of;
  for (Rank processor = 0; processor < processors; ++processor) node_of.push_back(processor);
  if (receiving == Receiving::in_order) {
    for (Rank processor = 0; processor < processors; ++processor) node_of.push_back(processor);
  }
  StepCheck sends("sends", processors);
  StepCheck receives("receives", processors);
  std::vector<StageMessage> stage;
  stage.reserve(messages.size());
  for (const SizedMessage& message : messages) {
    sends.pass(message.from, message.step);
    Rank taker = processors + message.to;
    if (receiving == Receiving::in_order) {
      receives.pass(message.to, message.step);
    } else {
      taker = static_cast<Rank>(node_of.size());
      node_of.push_back(message.to);
    }
    stage.push_back({message.step, message.from, taker, message.bytes, 1});
  }
  const NodePorts nodes{Machine(std::move(node_of)), 0, cost.copy};
  const RankClasses classes(nodes.nodes.ranks());
  return step_by_step_on_ports({stage, classes}, cost, nodes).messages;
}

}  // namespace shunt
