#include "tools/explain/traffic_effect.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "lab/flow/flow.hpp"
#include "model/counted.hpp"
#include "tools/common/page.hpp"

namespace shunt {

namespace {

/// The largest of what any rank states.
StageBound bound_of_any(const Algorithm& algorithm, int stage, const TrafficBound& traffic) {
  StageBound any{0, 0, 0};
  for (Rank rank = 0; rank < algorithm.ranks(); ++rank) {
    const StageBound bound = algorithm.bound(stage, rank, traffic);
    any.messages = std::max(any.messages, bound.messages);
    any.longest_message = std::max(any.longest_message, bound.longest_message);
    any.load = std::max(any.load, bound.load);
  }
  return any;
}

/// The most messages with any data that one rank receives.
int most_messages(const StageFlow& flow) {
  std::vector<int> received(flow.load.size(), 0);
  for (const FlowMessage& message : flow.messages) {
    if (message.bytes > 0) ++received[static_cast<std::size_t>(message.to)];
  }
  return std::ranges::max(received);
}

}  // namespace

TrafficEffect traffic_effect(const Algorithm& algorithm, const Traffic& traffic, Bytes element) {
  TrafficEffect effect{traffic.name(), loads_of(traffic, element).bound(),
                       Table({{"stage", Align::left, "what"},
                              {"messages"},
                              {"messages at most"},
                              {"longest", Align::right, "longest_bytes"},
                              {"longest at most", Align::right, "longest_at_most_bytes"},
                              {"load", Align::right, "load_bytes"},
                              {"load at most", Align::right, "load_at_most_bytes"}})};
  const std::vector<StageFlow> flows = follow_traffic(algorithm, traffic, element);
  for (int stage = 0; stage < algorithm.stages(); ++stage) {
    const StageFlow& flow = flows[static_cast<std::size_t>(stage)];
    const StageBound stated = bound_of_any(algorithm, stage, effect.bound);
    const std::string name = algorithm.stage_name(stage);
    effect.stages.add({Cell(fmt::format("{} {}", stage + 1, name), name), most_messages(flow),
                       stated.messages, flow.longest(), stated.longest_message, flow.largest_load(),
                       stated.load});
  }
  return effect;
}

std::string TrafficEffect::text() const {
  return paragraph(fmt::format("{}: a rank sends or receives up to {}, in blocks of up to {}.",
                               traffic, counted(bound.largest_load, "byte"), bound.longest_block)) +
         "The most messages, the longest message and the most bytes that a rank\n"
         "receives in a stage, each beside the algorithm's bound:\n\n" +
         stages.text();
}

nlohmann::json TrafficEffect::json() const {
  nlohmann::json rows = stages.json();
  for (std::size_t stage = 0; stage < rows.size(); ++stage) rows[stage]["stage"] = stage + 1;
  return {{"name", traffic},
          {"largest_load_bytes", bound.largest_load},
          {"longest_block_bytes", bound.longest_block},
          {"stages", rows}};
}

}  // namespace shunt
