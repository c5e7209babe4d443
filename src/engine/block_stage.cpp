#include "engine/block_stage.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "engine/copies.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "routing/move_bytes.hpp"

namespace shunt {

Bytes label_bytes(const Outgoing& message) {
  return LabelledMessages::kPrefix + static_cast<Bytes>(encoded_size(message.contents));
}

void write_label(const Outgoing& message, Bytes payload, std::byte* to) {
  const Bytes following = label_bytes(message) - LabelledMessages::kPrefix + payload;
  std::memcpy(to, &following, LabelledMessages::kPrefix);
  encode(message.contents, to + LabelledMessages::kPrefix);
}

namespace {

/// What the label says of the length of its message, of which `bytes` bytes are here; -1 if that is
/// less than the length takes.
Bytes whole_bytes(const std::byte* message, Bytes bytes) {
  if (bytes < LabelledMessages::kPrefix) return -1;
  Bytes following = 0;
  std::memcpy(&following, message, LabelledMessages::kPrefix);
  return LabelledMessages::kPrefix + following;
}

Error damaged(Rank from) {
  return Error(ErrorKind::truncated,
               fmt::format("the message from rank {} is damaged; the ranks do not agree on the "
                           "algorithm or its options",
                           from));
}

}  // namespace

LabelledMessages::LabelledMessages(const Context& context, const std::vector<Step>& steps, int tag,
                                   Bytes head_bytes, bool payload, std::byte* heads,
                                   NodeStages* node)
    : context_(context),
      steps_(steps),
      tag_(tag),
      head_bytes_(head_bytes),
      payload_(payload),
      heads_(heads),
      node_(node) {
  std::vector<Rank> senders;
  std::size_t sends = 0;
  for (const Step& step : steps) {
    if (step.from != kNoRank) senders.push_back(step.from);
    departure_of_step_.push_back(sends);
    if (step.to != kNoRank) ++sends;
  }
  std::ranges::sort(senders);
  for (const Step& step : steps) {
    const auto place = std::ranges::lower_bound(senders, step.from);
    place_of_step_.push_back(static_cast<std::size_t>(place - senders.begin()));
  }
  arrived_.resize(senders.size());
  for (std::size_t place = 0; place < senders.size(); ++place)
    arrived_[place].from = senders[place];
  long_messages_.resize(senders.size());
  long_bytes_.resize(senders.size(), 0);
}

void LabelledMessages::set_departures(std::vector<Departure> departures) {
  departures_ = std::move(departures);
  if (node_ == nullptr) return;
  auto shares = [this](Rank peer) {
    return peer != kNoRank && peer != context_.rank() && node_->shares_with(peer);
  };
  for (std::size_t step = 0; step < steps_.size(); ++step) {
    const Departure* departure = departures_.data() + departure_of_step_[step];
    if (shares(steps_[step].to)) node_->tell(departure->to, departure->data, departure->bytes);
    if (shares(steps_[step].from)) node_->expect(steps_[step].from, step);
  }
}

Bytes LabelledMessages::long_bytes() const {
  Bytes bytes = 0;
  for (const ByteBuffer& message : long_messages_) bytes += message.capacity();
  return bytes;
}

bool LabelledMessages::by_mpi(Rank peer) const {
  return peer != kNoRank && peer != context_.rank() &&
         (node_ == nullptr || !node_->shares_with(peer));
}

Posted LabelledMessages::post_receive(std::size_t step) {
  const Rank from = steps_[step].from;
  if (!by_mpi(from)) return {};
  return {start_receive(head(place_of_step_[step]), head_bytes_, {from, tag_, context_.comm()}),
          head_bytes_, true};
}

Posted LabelledMessages::post_send(std::size_t step) {
  const Rank to = steps_[step].to;
  if (!by_mpi(to)) return {};
  const Departure& departure = departures_[departure_of_step_[step]];
  const Bytes bytes = std::min(departure.bytes, head_bytes_);
  return {start_send(departure.data, bytes, {to, tag_, context_.comm()}), bytes,
          departure.bytes > head_bytes_};
}

Posted LabelledMessages::sent(std::size_t step) {
  const Departure& departure = departures_[departure_of_step_[step]];
  const Bytes bytes = departure.bytes - head_bytes_;
  return {start_send(departure.data + head_bytes_, bytes, {departure.to, tag_, context_.comm()}),
          bytes, false};
}

Posted LabelledMessages::received(std::size_t step, const MPI_Status& status) {
  const std::size_t place = place_of_step_[step];
  const Rank from = steps_[step].from;
  if (long_bytes_[place] > 0) {
    expect_length(status, long_bytes_[place] - head_bytes_, from);
    open(place, long_messages_[place].provide(0), long_bytes_[place]);
    return {};
  }
  const Bytes bytes = received_bytes(status);
  const Bytes whole = whole_bytes(head(place), bytes);
  if (whole < bytes || (whole > bytes && bytes < head_bytes_)) throw damaged(from);
  if (whole <= head_bytes_) {
    open(place, head(place), whole);
    return {};
  }
  std::byte* message = long_messages_[place].provide(whole);
  charge_copies(head_bytes_);
  move_bytes(message, head(place), head_bytes_);
  long_bytes_[place] = whole;
  const Bytes rest = whole - head_bytes_;
  return {start_receive(message + head_bytes_, rest, {from, tag_, context_.comm()}), rest, false};
}

SharedLanding LabelledMessages::landing_for(std::size_t step, Bytes length) {
  const std::size_t place = place_of_step_[step];
  long_bytes_[place] = length;
  return SharedLanding(length <= head_bytes_ ? head(place) : long_messages_[place].provide(length));
}

void LabelledMessages::arrived(std::size_t step) {
  const std::size_t place = place_of_step_[step];
  const Bytes bytes = long_bytes_[place];
  const std::byte* message = bytes <= head_bytes_ ? head(place) : long_messages_[place].provide(0);
  if (whole_bytes(message, bytes) != bytes) throw damaged(steps_[step].from);
  open(place, message, bytes);
}

void LabelledMessages::open(std::size_t place, const std::byte* data, Bytes bytes) {
  Arrived& message = arrived_[place];
  const std::span table(data + kPrefix, static_cast<std::size_t>(bytes - kPrefix));
  const std::size_t table_bytes = decode(table, context_.ranks(), message.contents);
  message.payload = table.data() + table_bytes;
  const Bytes payload = payload_of(message.contents);
  const Bytes present = static_cast<Bytes>(table.size() - table_bytes);
  if (present != (payload_ ? payload : 0)) {
    throw Error(ErrorKind::truncated,
                fmt::format("the message from rank {} announces {} bytes and brings {}",
                            message.from, payload, present));
  }
}

}  // namespace shunt
