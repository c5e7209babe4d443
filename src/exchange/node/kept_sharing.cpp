#include "exchange/node/kept_sharing.hpp"

#include <algorithm>
#include <cstring>

#include "exchange/node/slots.hpp"

namespace shunt {

void KeptSharing::begin() {
  ++number_;
  payload_ = 0;
}

bool KeptSharing::has_room() const {
  const std::uint64_t last = told_last_[half()];
  return std::ranges::all_of(receivers_[half()], [&](std::size_t receiver) {
    return own_.taken(receiver).load(std::memory_order_acquire) >= last;
  });
}

void KeptSharing::publish() {
  told_last_[half()] = number_;
  receivers_[half()].clear();
  lengths_.clear();
  for (const Told& told : told_) lengths_.push_back(told.bytes);
  Slots slots(own_.half(), lengths_);
  for (const Told& told : told_) {
    const SharedMessage message = slots.next(told.bytes);
    own_.message(half(), told.peer) = message;
    if (told.bytes == 0) continue;
    receivers_[half()].push_back(told.peer);
    std::byte* to = data_of(own_) + message.offset;
    if (message.ring == 0) {
      std::memcpy(to, told.message, static_cast<std::size_t>(told.bytes));
      continue;
    }
    const Pipe pipe(to, message.ring);
    pipe.clear();
    pipes_.send(pipe, told.message, told.bytes, own_.taken(told.peer), number_);
  }
  payload_ = slots.payload();
  own_.ready(half()).store(number_, std::memory_order_release);
  (void)pipes_.advance();
}

const SharedMessage* KeptSharing::told_by(std::size_t peer) const {
  const Region theirs = node_.kept_region(peer);
  if (theirs.ready(half()).load(std::memory_order_acquire) < number_) return nullptr;
  return &theirs.message(half(), node_.place());
}

void KeptSharing::take(const SharedMessage& message, const Expected& expected) {
  std::byte* from = data_of(node_.kept_region(expected.peer)) + message.offset;
  if (message.ring == 0) {
    std::memcpy(expected.to, from, static_cast<std::size_t>(expected.bytes));
  } else {
    pipes_.receive(Pipe(from, message.ring), expected.to, expected.bytes);
  }
}

void KeptSharing::finish() {
  told_.clear();
  pending_.clear();
  pipes_.clear();
  for (const std::size_t sender : senders_) {
    node_.kept_region(sender).taken(node_.place()).store(number_, std::memory_order_release);
  }
  senders_.clear();
}

}  // namespace shunt
