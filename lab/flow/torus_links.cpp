#include "lab/flow/torus_links.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

namespace shunt {

namespace {

std::size_t links_of(const Extents& torus) {
  return static_cast<std::size_t>(torus.ranks()) * static_cast<std::size_t>(torus.dimensions()) * 2;
}

/// Calls `use(tie, bytes)` for what goes which way: two halves where both ways are as far and both
/// are asked for.
template <class Use>
void for_each_half(const Extents& array, Rim rim, const LinkMessage& message, const Use& use) {
  if (message.way == Way::both && has_tie(array, rim, message.from, message.to)) {
    use(Way::forward, message.bytes - message.bytes / 2);
    use(Way::backward, message.bytes / 2);
  } else {
    use(message.way, message.bytes);
  }
}

class LinkCheck {
 public:
  explicit LinkCheck(const Extents& torus) : torus_(torus), users_(links_of(torus), nullptr) {
    loads_.bytes.assign(users_.size(), 0);
  }

  void enter(const LinkMessage& message) {
    int dimensions = 0;
    for (int d = 0; d < torus_.dimensions(); ++d) {
      if (torus_.ahead(message.from, message.to, d) != 0) ++dimensions;
    }
    if (dimensions > 1) {
      loads_.violations.push_back(
          fmt::format("the message from rank {} to rank {} goes along several dimensions",
                      message.from, message.to));
    } else {
      lay(message);
    }
  }

  LinkLoads finish() {
    for (const Bytes bytes : loads_.bytes) loads_.travelled += bytes;
    return std::move(loads_);
  }

 private:
  struct Link {
    Rank from;
    int dimension;
    Rank sign;
  };

  void lay(const LinkMessage& message) {
    for_each_half(torus_, Rim::closed, message, [&](Way tie, Bytes bytes) {
      for_each_link(torus_, Rim::closed, message.from, message.to, tie,
                    [&](Rank at, int dimension, Rank sign) {
                      use({at, dimension, sign}, message, bytes);
                    });
    });
  }

  void use(const Link& link, const LinkMessage& message, Bytes bytes) {
    const std::size_t place = link_place(torus_, link.from, link.dimension, link.sign);
    loads_.bytes[place] += bytes;
    if (const LinkMessage* const other = users_[place]) {
      loads_.violations.push_back(
          fmt::format("the link from rank {} to rank {} is used by the message from rank {} to "
                      "rank {} and by that from rank {} to rank {}",
                      link.from, torus_.neighbour(link.from, link.dimension, link.sign),
                      other->from, other->to, message.from, message.to));
    }
    users_[place] = &message;
  }

  const Extents& torus_;
  std::vector<const LinkMessage*> users_;  ///< by link: the last message laid on it
  LinkLoads loads_;
};

}  // namespace

Rank torus_distance(const Extents& torus, Rank from, Rank to) {
  Rank links = 0;
  for (int dimension = 0; dimension < torus.dimensions(); ++dimension) {
    const Rank forward = torus.ahead(from, to, dimension);
    links += std::min(forward, torus.extent(dimension) - forward);
  }
  return links;
}

bool has_tie(const Extents& array, Rim rim, Rank from, Rank to) {
  if (rim == Rim::open) return false;
  for (int d = 0; d < array.dimensions(); ++d) {
    if (2 * array.ahead(from, to, d) == array.extent(d)) return true;
  }
  return false;
}

Bytes LinkLoads::largest() const { return bytes.empty() ? 0 : std::ranges::max(bytes); }

LinkLoads check_links(const Extents& torus, std::span<const LinkMessage> messages) {
  LinkCheck check(torus);
  for (const LinkMessage& message : messages) check.enter(message);
  return check.finish();
}

LinkLoads load_links(const Extents& array, Rim rim, std::span<const LinkMessage> messages) {
  LinkLoads loads;
  loads.bytes.assign(links_of(array), 0);
  for (const LinkMessage& message : messages) {
    for_each_half(array, rim, message, [&](Way tie, Bytes bytes) {
      for_each_link(array, rim, message.from, message.to, tie,
                    [&](Rank at, int dimension, Rank sign) {
                      loads.bytes[link_place(array, at, dimension, sign)] += bytes;
                      loads.travelled += bytes;
                    });
    });
  }
  return loads;
}

}  // namespace shunt
