#include "exchange/kept_broadcasts.hpp"

#include <algorithm>

namespace shunt {

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

}  // namespace shunt
