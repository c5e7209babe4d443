#include "algorithms/broadcast/node_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "schedule/proportional_cut.hpp"

namespace shunt {

namespace {

/// A stage more is not worth its start-ups where no node has more than 5/4 of the mean.
bool are_nearly_even(std::span<const Bytes> bytes) {
  const Bytes total = std::reduce(bytes.begin(), bytes.end(), Bytes{0});
  const double mean = static_cast<double>(total) / static_cast<double>(bytes.size());
  return total == 0 || static_cast<double>(std::ranges::max(bytes)) <= 1.25 * mean;
}

}  // namespace

std::vector<Bytes> bytes_by_node(const Sources& sources, const Machine& machine) {
  std::vector<Bytes> bytes(static_cast<std::size_t>(machine.nodes()), 0);
  for (const Rank source : sources.list()) {
    bytes[static_cast<std::size_t>(machine.node_of(source))] += sources.length(source);
  }
  return bytes;
}

std::vector<NodePart> own_parts(std::span<const Bytes> bytes) {
  std::vector<NodePart> parts;
  for (std::size_t node = 0; node < bytes.size(); ++node) {
    const auto me = static_cast<Rank>(node);
    if (bytes[node] > 0) parts.push_back({me, me, 0, bytes[node]});
  }
  return parts;
}

std::vector<NodePart> evened_parts(std::span<const Bytes> bytes) {
  if (are_nearly_even(bytes)) return own_parts(bytes);
  const Bytes total = std::reduce(bytes.begin(), bytes.end(), Bytes{0});
  const ProportionalCut cut(total, std::ssize(bytes), 0, 1);
  std::vector<NodePart> parts;
  std::vector<Bytes> kept(bytes.size(), 0);
  std::vector<Bytes> room(bytes.size(), 0);
  for (std::size_t node = 0; node < bytes.size(); ++node) {
    const auto me = static_cast<Rank>(node);
    const Bytes share = cut.end_of(me + 1) - cut.end_of(me);
    kept[node] = std::min(bytes[node], share);
    room[node] = share - kept[node];
    if (kept[node] > 0) parts.push_back({me, me, 0, kept[node]});
  }
  std::size_t taker = 0;
  for (std::size_t giver = 0; giver < bytes.size(); ++giver) {
    for (Bytes begin = kept[giver]; begin < bytes[giver];) {
      while (room[taker] == 0) ++taker;
      const Bytes taken = std::min(room[taker], bytes[giver] - begin);
      parts.push_back({static_cast<Rank>(taker), static_cast<Rank>(giver), begin, begin + taken});
      room[taker] -= taken;
      begin += taken;
    }
  }
  std::ranges::sort(parts);
  return parts;
}

}  // namespace shunt
