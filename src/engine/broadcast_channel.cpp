#include "engine/broadcast_channel.hpp"

#include <algorithm>

#include "mpi_calls/mpi_call.hpp"
#include "routing/move_bytes.hpp"

namespace shunt {

BroadcastChannel::~BroadcastChannel() {
  if (first_ > 0)
    broadcast_buffers_->done_until(Moment::end_of(first_ + route_->published_stages - 1));
}

void BroadcastChannel::begin_stage(std::size_t stage) {
  sources_.clear();
  part_ = route_->stages[stage].broadcast ? &*route_->stages[stage].broadcast : nullptr;
  if (part_ == nullptr) return;
  number_ = first_ + part_->published_before;
  own_walk_.emplace(stage == 0 ? own_ : receive_, part_->pieces);
  // Also who has nothing says so.
  round_ = 0;
  rounds_ = std::max<std::uint64_t>(rounds_of(part_->bytes, broadcast_buffers_->own()), 1);
  for (const BroadcastSource& source : part_->sources) {
    const std::uint64_t rounds = rounds_of(source.bytes, broadcast_buffers_->of(source.place));
    if (rounds > 0) sources_.push_back({&source, {receive_, source.pieces}, 0, rounds});
  }
  say_what_is_read();
}

bool BroadcastChannel::advance(const std::function<void(std::size_t)>& /*handle*/) {
  moved_ = false;
  if (part_ == nullptr) return true;
  while (round_ < rounds_ && publish()) moved_ = true;
  look_around();
  if (round_ < rounds_ || !sources_.empty()) return false;
  part_ = nullptr;
  return true;
}

void BroadcastChannel::look_around() {
  bool read = false;
  for (Source& source : sources_) {
    while (source.round < source.rounds && look(source)) read = true;
  }
  if (!read) return;
  moved_ = true;
  std::erase_if(sources_, [](const Source& source) { return source.round == source.rounds; });
  say_what_is_read();
}

void BroadcastChannel::say_what_is_read() const {
  if (sources_.empty()) {
    broadcast_buffers_->done_until(Moment::end_of(number_));
    return;
  }
  const std::uint64_t next = std::ranges::min_element(sources_, {}, &Source::round)->round;
  if (next > 0) broadcast_buffers_->done_until(Moment(number_, next - 1));
}

std::uint64_t BroadcastChannel::rounds_of(Bytes length, const BroadcastBuffer& buffer) {
  // Whose broadcast buffer has no pages has shorter messages than this: its header says so.
  if (fits_header(length) || buffer.page_bytes() == 0) return length > 0 ? 1 : 0;
  return static_cast<std::uint64_t>((length + buffer.page_bytes() - 1) / buffer.page_bytes());
}

Bytes BroadcastChannel::of_round(Bytes length, std::uint64_t round, const BroadcastBuffer& buffer) {
  if (fits_header(length)) return length;
  return std::min(length - static_cast<Bytes>(round) * buffer.page_bytes(), buffer.page_bytes());
}

bool BroadcastChannel::publish() {
  const Moment now(number_, round_);
  if (!broadcast_buffers_->has_room(now, part_->bytes)) return false;
  const BroadcastBuffer& buffer = broadcast_buffers_->own();
  std::byte* to = fits_header(part_->bytes) ? buffer.header(now).text : buffer.page(now);
  own_walk_->next(of_round(part_->bytes, round_, buffer), [&](const std::byte* at, Bytes bytes) {
    move_bytes(to, at, bytes);
    to += bytes;
  });
  broadcast_buffers_->publish(now, part_->bytes);
  ++round_;
  return true;
}

bool BroadcastChannel::look(Source& source) {
  const auto& [place, from, bytes, pieces] = *source.source;
  const BroadcastBuffer& buffer = broadcast_buffers_->of(place);
  const Moment now(number_, source.round);
  const RoundHeader& header = buffer.header(now);
  const Moment moment(header.moment.load(std::memory_order_acquire));
  if (moment < now) return false;
  if (moment > now || header.length != bytes) {
    disagreement_ = moment > now ? no_message(from) : wrong_length(from, bytes);
    source.round = source.rounds;
    return true;
  }
  const std::byte* at = fits_header(bytes) ? header.text : buffer.page(now);
  source.landing.next(of_round(bytes, source.round, buffer), [&](std::byte* to, Bytes length) {
    move_bytes(to, at, length);
    at += length;
  });
  ++source.round;
  return true;
}

Bytes BroadcastChannel::payload() const {
  Bytes payload = 0;
  for (const RouteStage& stage : route_->stages) {
    if (!stage.broadcast) continue;
    const Bytes bytes = stage.broadcast->bytes;
    const Bytes room = Bytes{BroadcastBuffer::kPages} * broadcast_buffers_->own().page_bytes();
    payload = std::max(payload, fits_header(bytes) ? bytes : std::min(bytes, room));
  }
  return payload;
}

}  // namespace shunt
