#include "transport/call_channel.hpp"

#include <algorithm>
#include <utility>

namespace shunt {

namespace {

bool fits_descriptor(Bytes bytes) {
  return bytes <= static_cast<Bytes>(sizeof(MessageDescriptor::text));
}

}  // namespace

bool CallChannel::has_room() {
  const std::uint64_t last = told_last_[half()];
  return std::ranges::all_of(receivers_[half()], [&](std::size_t receiver) {
    std::uint64_t& seen = seen_done_[receiver];
    if (seen < last) seen = region_of(receiver).done().load(std::memory_order_acquire);
    return seen >= last;
  });
}

void CallChannel::publish() {
  told_last_[half()] = number_;
  receivers_[half()].clear();
  lengths_.clear();
  for (const Told& told : told_) lengths_.push_back(bytes_here(told));
  const Bytes room = kind_ == Kept::one_shots ? Slots::kBlocksRoom : own_.half();
  Slots slots(std::min(own_.half(), room), lengths_);
  for (const Told& told : told_) {
    if (told.bytes > 0) receivers_[half()].push_back(told.peer);
    MessageDescriptor& descriptor = own_.descriptor(half(), told.peer);
    write(descriptor, told, slots);
    descriptor.number.store(number_, std::memory_order_release);
  }
  payload_ += slots.payload();
  for (const Expected& expected : pending_) {
    look_ahead(&region_of(expected.peer).descriptor(half(), node_.place()));
  }
}

Bytes CallChannel::bytes_here(const Told& told) {
  if (told.description > 0) return told.description;
  return fits_descriptor(told.bytes) || told.exposed != nullptr ? 0 : told.bytes;
}

void CallChannel::write(MessageDescriptor& descriptor, const Told& told, Slots& slots) {
  if (told.exposed != nullptr) {
    descriptor.message = {0, told.bytes, kExposed};
    put_exposed(descriptor, told.exposed);
    single_copies_.expose({&own_.taken(told.peer), number_});
  } else if (told.description > 0) {
    descriptor.message = slots.next(told.description);
    told.message(data_of(own_) + descriptor.message.offset, 0, told.description);
    descriptor.message.length = told.bytes;
    descriptor.message.ring = kDescribed;
    single_copies_.expose({&own_.taken(told.peer), number_});
  } else if (fits_descriptor(told.bytes)) {
    descriptor.message = {0, told.bytes, kInDescriptor};
    if (told.bytes > 0) told.message(descriptor.text, 0, told.bytes);
    payload_ += told.bytes;
  } else {
    descriptor.message = slots.next(told.bytes);
    std::byte* const to = data_of(own_) + descriptor.message.offset;
    if (descriptor.message.ring == 0) {
      told.message(to, 0, told.bytes);
      return;
    }
    const Pipe pipe(to, descriptor.message.ring);
    pipe.clear();
    pipes_.send(pipe, told.message, told.bytes, region_of(told.peer).done(), number_);
  }
}

bool CallChannel::advance(SharedInbox& inbox) {
  const std::size_t missing = pending_.size();
  std::erase_if(pending_, [&](const Expected& expected) { return look(expected, inbox); });
  const auto arrived = [&](std::size_t step) { inbox.arrived(step); };
  const bool piped = pipes_.advance(arrived);
  const bool taken =
      single_copies_.advance(arrived, [&](const Error& error) { inbox.fault = error; });
  moved_ = piped || taken || pending_.size() < missing;
  return pending_.empty() && pipes_.empty() && single_copies_.empty();
}

bool CallChannel::look(const Expected& expected, SharedInbox& inbox) {
  const Region theirs = region_of(expected.peer);
  MessageDescriptor& descriptor = theirs.descriptor(half(), node_.place());
  const std::uint64_t number = descriptor.number.load(std::memory_order_acquire);
  if (number < number_) return false;
  seen_done_[expected.peer] = number - 1;
  if (number > number_) {
    inbox.miss(expected.from);
    return true;
  }
  const SharedMessage& message = descriptor.message;
  SharedLanding landing = inbox.landing_for(expected.step, message.length);
  const SingleCopies::Acknowledgement end{&theirs.taken(node_.place()), number_};
  if (!landing.move) {
    SingleCopies::acknowledge(end);
    return true;
  }
  std::byte* const at = data_of(theirs) + message.offset;
  if (message.ring == kExposed) {
    single_copies_.pull({SingleCopies::read_from(node_.processes(), expected.peer,
                                                 exposed_in(descriptor), landing.whole),
                         message.length, expected.step, end});
    return true;
  }
  if (message.ring == kDescribed) {
    single_copies_.pull(
        {inbox.pulled(expected.step, at), message.length, expected.step, end, true});
    return true;
  }
  if (message.ring > 0) {
    pipes_.receive(Pipe(at, message.ring), std::move(landing.move), message.length, expected.step);
    return true;
  }
  landing.move(message.ring == kInDescriptor ? descriptor.text : at, 0, message.length);
  inbox.arrived(expected.step);
  return true;
}

void CallChannel::finish() {
  own_.done().store(number_, std::memory_order_release);
  forget();
}

void CallChannel::give_up(std::uint64_t number) {
  own_.done().store(number, std::memory_order_release);
  for (std::size_t peer = 0; peer < node_.ranks().size(); ++peer) {
    if (peer != node_.place())
      SingleCopies::acknowledge({&region_of(peer).taken(node_.place()), number});
  }
  forget();
}

void CallChannel::forget() {
  told_.clear();
  pending_.clear();
  pipes_.clear();
  single_copies_.clear();
}

}  // namespace shunt
