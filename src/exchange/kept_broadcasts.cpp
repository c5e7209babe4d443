#include "exchange/kept_broadcasts.hpp"

#include <algorithm>
#include <bit>

namespace shunt {

namespace {

int bits(Bytes bytes) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes)));
}

}  // namespace

SourcesClass::SourcesClass(const Sources& sources, bool through_boards)
    : boards(through_boards),
      count(sources.count()),
      total_bits(bits(sources.total())),
      longest_bits(count == 0 ? 0 : bits(sources.length(sources.longest()))) {}

std::shared_ptr<const BroadcastRoute> KeptBroadcasts::route(
    const Key& key, const std::function<BroadcastRoute()>& make) {
  const auto known = std::ranges::find_if(routes_, [&key](const Kept& kept) {
    return kept.name == key.name && kept.kind == key.kind && kept.lengths == key.lengths &&
           kept.offsets == key.offsets;
  });
  if (known != routes_.end()) {
    routes_.splice(routes_.begin(), routes_, known);
  } else {
    routes_.push_front({std::string(key.name), key.kind, key.lengths, key.offsets,
                        std::make_shared<const BroadcastRoute>(make())});
    if (routes_.size() > kMost) routes_.pop_back();
  }
  return routes_.front().route;
}

const std::string& KeptBroadcasts::name(const SourcesClass& sources,
                                        const std::function<std::string()>& choose) {
  const auto known = names_.find(sources);
  if (known != names_.end()) return known->second;
  return names_.emplace(sources, choose()).first->second;
}

}  // namespace shunt
