#include "exchange/kept_broadcasts.hpp"

#include <algorithm>

namespace shunt {

KeptBroadcasts::Kept& KeptBroadcasts::find(const Key& key,
                                           const std::function<BroadcastRoute()>& make) {
  const auto known = std::ranges::find_if(entries_, [&key](const Entry& entry) {
    return entry.name == key.name && entry.kind == key.kind && entry.lengths == key.lengths &&
           entry.offsets == key.offsets;
  });
  if (known != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, known);
  } else {
    entries_.push_front({std::string(key.name),
                         key.kind,
                         key.lengths,
                         key.offsets,
                         {std::make_shared<const BroadcastRoute>(make()), nullptr}});
    if (entries_.size() > kMost) entries_.pop_back();
  }
  return entries_.front().kept;
}

}  // namespace shunt
