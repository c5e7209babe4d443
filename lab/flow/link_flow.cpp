#include "lab/flow/link_flow.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "lab/flow/allgather_flow.hpp"
#include "lab/flow/flow.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// Bytes times links on shortest paths.
Bytes least_travelled(const Extents& torus, const Traffic& traffic, Bytes element) {
  Bytes sum = 0;
  std::vector<Bytes> counts(static_cast<std::size_t>(torus.ranks()));
  for (Rank destination = 0; destination < torus.ranks(); ++destination) {
    traffic.column(destination, counts);
    for (Rank source = 0; source < torus.ranks(); ++source) {
      sum += counts[static_cast<std::size_t>(source)] * torus_distance(torus, source, destination);
    }
  }
  return sum * element;
}

void add_stage(const LinkLoads& loads, LinkFlow& flow) {
  flow.busiest.push_back(loads.largest());
  flow.travelled += loads.travelled;
  flow.links.resize(loads.bytes.size(), 0);
  std::ranges::transform(flow.links, loads.bytes, flow.links.begin(), std::plus<>());
}

}  // namespace

Bytes LinkFlow::transmission() const {
  return std::accumulate(busiest.begin(), busiest.end(), Bytes{0});
}

LinkFlow follow_links(const Algorithm& algorithm, const Traffic& traffic, Bytes element) {
  const Extents* const torus = algorithm.link_contention_free_on();
  if (torus == nullptr) {
    throw Error(ErrorKind::argument,
                fmt::format("{} is not made for the links of a torus", algorithm.name()));
  }
  LinkFlow flow;
  flow.least = least_travelled(*torus, traffic, element);
  const std::vector<StageFlow> stages = follow_traffic(algorithm, traffic, element);
  std::vector<LinkMessage> messages;
  for (int stage = 0; stage < algorithm.stages(); ++stage) {
    messages.clear();
    for (const FlowMessage& message : stages[static_cast<std::size_t>(stage)].messages) {
      messages.push_back({message.from, message.to,
                          algorithm.way_round(stage, message.from, message.to), message.bytes});
    }
    add_stage(check_links(*torus, messages), flow);
  }
  return flow;
}

LinkFlow follow_links(const Allgather& allgather, const Extents& array, Rim rim) {
  if (array.ranks() != allgather.ranks()) {
    throw Error(ErrorKind::argument,
                fmt::format("a {} of {} has {} ranks, but the all-gather has {}",
                            rim == Rim::closed ? "torus" : "mesh", array.name(), array.ranks(),
                            allgather.ranks()));
  }
  LinkFlow flow;
  // A block reaches each of the other ranks by a link of its own at least.
  flow.least = allgather.sources().total() * (allgather.ranks() - 1);
  flow.links = load_links(array, rim, {}).bytes;
  std::vector<LinkMessage> messages;
  for (const auto& stage : follow_allgather(allgather)) {
    messages.clear();
    for (const SizedMessage& message : stage) {
      messages.push_back({message.from, message.to, Way::forward, message.bytes});
    }
    add_stage(load_links(array, rim, messages), flow);
  }
  return flow;
}

}  // namespace shunt
