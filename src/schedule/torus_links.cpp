#include "schedule/torus_links.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace shunt {

namespace {

class LinkCheck {
 public:
  explicit LinkCheck(const Extents& torus)
      : torus_(torus),
        users_(static_cast<std::size_t>(torus.ranks()) *
                   static_cast<std::size_t>(torus.dimensions()) * 2,
               nullptr) {
    loads_.bytes.assign(users_.size(), 0);
  }

  void enter(const LinkMessage& message) {
    int dimension = -1;
    for (int d = 0; d < torus_.dimensions(); ++d) {
      if (torus_.ahead(message.from, message.to, d) == 0) continue;
      if (dimension >= 0) {
        loads_.violations.push_back(
            fmt::format("the message from rank {} to rank {} goes along several dimensions",
                        message.from, message.to));
        return;
      }
      dimension = d;
    }
    if (dimension >= 0) lay(message, dimension);
  }

  LinkLoads finish() {
    for (const Bytes bytes : loads_.bytes) loads_.travelled += bytes;
    return std::move(loads_);
  }

 private:
  void lay(const LinkMessage& message, int dimension) {
    const Rank forward = torus_.ahead(message.from, message.to, dimension);
    const Rank backward = torus_.extent(dimension) - forward;
    if (forward == backward && message.way == Way::both) {
      lay(message, dimension, forward, message.bytes - message.bytes / 2);
      lay(message, dimension, -backward, message.bytes / 2);
    } else if (forward < backward || (forward == backward && message.way == Way::forward)) {
      lay(message, dimension, forward, message.bytes);
    } else {
      lay(message, dimension, -backward, message.bytes);
    }
  }

  /// On `distance` links from the sender on, forward if it is positive.
  void lay(const LinkMessage& message, int dimension, Rank distance, Bytes bytes) {
    const Rank direction = distance > 0 ? 1 : -1;
    Rank at = message.from;
    for (Rank link = 0; link != distance; link += direction) {
      const Rank next = torus_.neighbour(at, dimension, direction);
      use(at, next, dimension, direction, message, bytes);
      at = next;
    }
  }

  void use(Rank at, Rank next, int dimension, Rank direction, const LinkMessage& message,
           Bytes bytes) {
    const auto port = static_cast<std::size_t>(at) * static_cast<std::size_t>(torus_.dimensions()) +
                      static_cast<std::size_t>(dimension);
    const std::size_t link = port * 2 + (direction > 0 ? 0 : 1);
    loads_.bytes[link] += bytes;
    if (const LinkMessage* const other = users_[link]) {
      loads_.violations.push_back(
          fmt::format("the link from rank {} to rank {} is used by the message from rank {} to "
                      "rank {} and by that from rank {} to rank {}",
                      at, next, other->from, other->to, message.from, message.to));
    }
    users_[link] = &message;
  }

  const Extents& torus_;
  std::vector<const LinkMessage*> users_;  ///< by link: the last message laid on it
  LinkLoads loads_;
};

}  // namespace

Bytes LinkLoads::largest() const { return bytes.empty() ? 0 : std::ranges::max(bytes); }

LinkLoads check_links(const Extents& torus, std::span<const LinkMessage> messages) {
  LinkCheck check(torus);
  for (const LinkMessage& message : messages) check.enter(message);
  return check.finish();
}

}  // namespace shunt
