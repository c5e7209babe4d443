#include "exchange/node/kept_sharing.hpp"

#include <algorithm>
#include <cstring>

namespace shunt {

void KeptSharing::begin() {
  ++number_;
  packed_ = 0;
}

bool KeptSharing::has_room() const {
  const std::uint64_t last = packed_last_[half()];
  return std::ranges::all_of(receivers_[half()], [&](std::size_t receiver) {
    return own_.taken(receiver).load(std::memory_order_acquire) >= last;
  });
}

void KeptSharing::tell(std::size_t peer, const std::byte* message, Bytes bytes) {
  if (packed_last_[half()] != number_) {
    packed_last_[half()] = number_;
    receivers_[half()].clear();
  }
  if (bytes > 0) receivers_[half()].push_back(peer);
  SharedMessage& told = own_.message(half(), peer);
  if (!takes(bytes)) {
    told = {-1, bytes};
    return;
  }
  told = {packed_, bytes};
  std::byte* to = own_.data() + (half() == 0 ? 0 : own_.half()) + packed_;
  if (bytes > 0) std::memcpy(to, message, static_cast<std::size_t>(bytes));
  packed_ += bytes;
}

void KeptSharing::publish() { own_.ready(half()).store(number_, std::memory_order_release); }

void KeptSharing::expect(std::size_t peer, Rank from, std::byte* to, Bytes bytes) {
  pending_.push_back({peer, from, to, bytes});
  senders_.push_back(peer);
}

const SharedMessage* KeptSharing::told_by(std::size_t peer) const {
  const Region theirs = node_.kept_region(peer);
  if (theirs.ready(half()).load(std::memory_order_acquire) < number_) return nullptr;
  return &theirs.message(half(), node_.place());
}

void KeptSharing::copy(const SharedMessage& message, const Expected& expected) const {
  const Region theirs = node_.kept_region(expected.peer);
  const std::byte* data = theirs.data() + (half() == 0 ? 0 : theirs.half()) + message.offset;
  std::memcpy(expected.to, data, static_cast<std::size_t>(expected.bytes));
}

void KeptSharing::finish() {
  pending_.clear();
  for (const std::size_t sender : senders_) {
    node_.kept_region(sender).taken(node_.place()).store(number_, std::memory_order_release);
  }
  senders_.clear();
}

}  // namespace shunt
