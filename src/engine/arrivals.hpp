// How the messages of the last stage come into the user's memory.
#pragma once

#include <algorithm>
#include <vector>

#include "context/blocks.hpp"
#include "engine/copies.hpp"
#include "routing/landing.hpp"

namespace shunt {

/// The message from `from` among `arrivals`, senders ascending, or null if there is none.
[[nodiscard]] inline const Arrival* find_arrival(const std::vector<Arrival>& arrivals, Rank from) {
  const auto place = std::ranges::lower_bound(arrivals, from, {}, &Arrival::from);
  return place != arrivals.end() && place->from == from ? &*place : nullptr;
}

/// The copies that bring `payload` to where it belongs.
[[nodiscard]] inline std::vector<Copy> landing_copies(const Arrival& arrival,
                                                      const std::byte* payload,
                                                      const ReceiveBlocks& receive) {
  std::vector<Copy> copies;
  for (const Landing& landing : arrival.landings) {
    append_copy(copies,
                {payload, receive.block(static_cast<std::size_t>(landing.source)) + landing.offset,
                 landing.length});
    payload += landing.length;
  }
  return copies;
}

/// Where the message lands if that is one piece of the user's memory, so that it can be received
/// there at once; else null.
[[nodiscard]] inline std::byte* sole_landing(const Arrival& arrival, const ReceiveBlocks& receive) {
  auto place = [&](const Landing& landing) {
    return receive.block(static_cast<std::size_t>(landing.source)) + landing.offset;
  };
  std::byte* const first = place(arrival.landings.front());
  std::byte* end = first;
  for (const Landing& landing : arrival.landings) {
    if (place(landing) != end) return nullptr;
    end += landing.length;
  }
  return first;
}

}  // namespace shunt
