#include "context/kept_allgathers.hpp"

#include <algorithm>
#include <utility>

namespace shunt {

KeptAllgathers::Kept* KeptAllgathers::find(const Key& key) {
  const auto known = std::ranges::find_if(entries_, [&key](const Entry& entry) {
    return entry.name == key.name && entry.kind == key.kind && entry.lengths == key.lengths &&
           entry.offsets == key.offsets;
  });
  if (known == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, known);
  return &entries_.front().kept;
}

KeptAllgathers::Kept& KeptAllgathers::add(const Key& key, AllgatherRoute route) {
  entries_.push_front({std::string(key.name),
                       key.kind,
                       key.lengths,
                       key.offsets,
                       {std::make_shared<const AllgatherRoute>(std::move(route)), nullptr}});
  if (entries_.size() > kMost) entries_.pop_back();
  return entries_.front().kept;
}

}  // namespace shunt
