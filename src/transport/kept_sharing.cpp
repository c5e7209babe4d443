#include "transport/kept_sharing.hpp"

#include <algorithm>
#include <utility>

namespace shunt {

namespace {

bool fits_letter(Bytes bytes) { return bytes <= static_cast<Bytes>(sizeof(Letter::text)); }

}  // namespace

void KeptSharing::begin(std::uint64_t number) {
  number_ = number;
  payload_ = 0;
}

bool KeptSharing::has_room() {
  const std::uint64_t last = told_last_[half()];
  return std::ranges::all_of(receivers_[half()], [&](std::size_t receiver) {
    std::uint64_t& seen = seen_done_[receiver];
    if (seen < last) seen = region_of(receiver).done().load(std::memory_order_acquire);
    return seen >= last;
  });
}

Bytes KeptSharing::room() const {
  return kind_ == Kept::one_shots ? std::min(own_.half(), Slots::kBlocksRoom) : own_.half();
}

void KeptSharing::publish() {
  told_last_[half()] = number_;
  receivers_[half()].clear();
  lengths_.clear();
  for (const Told& told : told_) lengths_.push_back(bytes_here(told));
  Slots slots(room(), lengths_);
  for (const Told& told : told_) {
    if (told.bytes > 0) receivers_[half()].push_back(told.peer);
    Letter& letter = own_.letter(half(), told.peer);
    write(letter, told, slots);
    letter.number.store(number_, std::memory_order_release);
  }
  payload_ += slots.payload();
  for (const Expected& expected : pending_) {
    look_ahead(&region_of(expected.peer).letter(half(), node_.place()));
  }
}

Bytes KeptSharing::bytes_here(const Told& told) {
  if (told.description > 0) return told.description;
  return fits_letter(told.bytes) || is_lent(told) ? 0 : told.bytes;
}

void KeptSharing::write(Letter& letter, const Told& told, Slots& slots) {
  if (is_lent(told)) {
    letter.message = {0, told.bytes, kOnLoan};
    put_lent(letter, told.lent);
    loans_.lend({&own_.taken(told.peer), number_});
  } else if (told.description > 0) {
    letter.message = slots.next(told.description);
    told.message(data_of(own_) + letter.message.offset, 0, told.description);
    letter.message.length = told.bytes;
    letter.message.ring = kDescribed;
    loans_.lend({&own_.taken(told.peer), number_});
  } else if (fits_letter(told.bytes)) {
    letter.message = {0, told.bytes, kInLetter};
    if (told.bytes > 0) told.message(letter.text, 0, told.bytes);
    payload_ += told.bytes;
  } else {
    letter.message = slots.next(told.bytes);
    put(letter.message, told);
  }
}

void KeptSharing::put(const SharedMessage& message, const Told& told) {
  std::byte* to = data_of(own_) + message.offset;
  if (message.ring == 0) {
    told.message(to, 0, told.bytes);
    return;
  }
  const Pipe pipe(to, message.ring);
  pipe.clear();
  pipes_.send(pipe, told.message, told.bytes, region_of(told.peer).done(), number_);
}

bool KeptSharing::advance(SharedInbox& inbox) {
  const std::size_t missing = pending_.size();
  std::erase_if(pending_, [&](const Expected& expected) { return look(expected, inbox); });
  const auto arrived = [&](std::size_t step) { inbox.arrived(step); };
  const bool piped = pipes_.advance(arrived);
  const bool taken = loans_.advance(arrived, [&](const Error& error) { inbox.fault = error; });
  moved_ = piped || taken || pending_.size() < missing;
  return pending_.empty() && pipes_.empty() && loans_.empty();
}

bool KeptSharing::look(const Expected& expected, SharedInbox& inbox) {
  const Region theirs = region_of(expected.peer);
  Letter& letter = theirs.letter(half(), node_.place());
  const std::uint64_t number = letter.number.load(std::memory_order_acquire);
  if (number < number_) return false;
  seen_done_[expected.peer] = number - 1;
  if (number > number_) {
    inbox.miss(expected.from);
    return true;
  }
  const SharedMessage& message = letter.message;
  SharedLanding landing = inbox.landing_for(expected.step, message.length);
  const Loans::Return end{&theirs.taken(node_.place()), number_};
  if (!landing.move) {
    Loans::give_back(end);
    return true;
  }
  std::byte* const at = data_of(theirs) + message.offset;
  if (message.ring == kOnLoan) {
    loans_.borrow(
        {Loans::read_from(node_.processes(), expected.peer, lent_in(letter), landing.whole),
         message.length, expected.step, end});
    return true;
  }
  if (message.ring == kDescribed) {
    loans_.borrow({inbox.borrowed(expected.step, at), message.length, expected.step, end, true});
    return true;
  }
  if (message.ring > 0) {
    pipes_.receive(Pipe(at, message.ring), std::move(landing.move), message.length, expected.step);
    return true;
  }
  landing.move(message.ring == kInLetter ? letter.text : at, 0, message.length);
  inbox.arrived(expected.step);
  return true;
}

void KeptSharing::finish() {
  own_.done().store(number_, std::memory_order_release);
  forget();
}

void KeptSharing::give_up(std::uint64_t number) {
  own_.done().store(number, std::memory_order_release);
  for (std::size_t peer = 0; peer < node_.ranks().size(); ++peer) {
    if (peer != node_.place()) Loans::give_back({&region_of(peer).taken(node_.place()), number});
  }
  forget();
}

void KeptSharing::forget() {
  told_.clear();
  pending_.clear();
  pipes_.clear();
  loans_.clear();
}

}  // namespace shunt
