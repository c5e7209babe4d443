#include "exchange/block_stage.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "exchange/mpi_call.hpp"

namespace shunt {

Bytes label_bytes(const Outgoing& message) {
  return LabelledCargo::kPrefix + static_cast<Bytes>(encoded_size(message.contents));
}

void write_label(const Outgoing& message, Bytes payload, std::byte* to) {
  const Bytes following = label_bytes(message) - LabelledCargo::kPrefix + payload;
  std::memcpy(to, &following, LabelledCargo::kPrefix);
  encode(message.contents, to + LabelledCargo::kPrefix);
}

LabelledCargo::LabelledCargo(const YardState& yard, const std::vector<Step>& steps, int tag,
                             Bytes head_bytes, bool payload, std::byte* heads)
    : yard_(yard),
      steps_(steps),
      tag_(tag),
      head_bytes_(head_bytes),
      payload_(payload),
      heads_(heads) {
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

void LabelledCargo::set_departures(std::vector<Departure> departures) {
  departures_ = std::move(departures);
}

Posted LabelledCargo::post_receive(std::size_t step) {
  const Rank from = steps_[step].from;
  if (from == kNoRank || from == yard_.rank()) return {};
  std::byte* head = heads_ + static_cast<Bytes>(place_of_step_[step]) * head_bytes_;
  return {start_receive(head, head_bytes_, {from, tag_, yard_.comm()}), head_bytes_, true};
}

Posted LabelledCargo::post_send(std::size_t step) {
  const Rank to = steps_[step].to;
  if (to == kNoRank || to == yard_.rank()) return {};
  const Departure& departure = departures_[departure_of_step_[step]];
  const Bytes bytes = std::min(departure.bytes, head_bytes_);
  return {start_send(departure.data, bytes, {to, tag_, yard_.comm()}), bytes,
          departure.bytes > head_bytes_};
}

Posted LabelledCargo::sent(std::size_t step) {
  const Departure& departure = departures_[departure_of_step_[step]];
  const Bytes bytes = departure.bytes - head_bytes_;
  return {start_send(departure.data + head_bytes_, bytes, {departure.to, tag_, yard_.comm()}),
          bytes, false};
}

Posted LabelledCargo::received(std::size_t step, const MPI_Status& status) {
  const std::size_t place = place_of_step_[step];
  const Rank from = steps_[step].from;
  if (long_bytes_[place] > 0) {
    expect_length(status, long_bytes_[place] - head_bytes_, from);
    open(place, long_messages_[place].provide(0), long_bytes_[place]);
    return {};
  }
  const std::byte* head = heads_ + static_cast<Bytes>(place) * head_bytes_;
  const Bytes bytes = received_bytes(status);
  Bytes following = 0;
  if (bytes >= kPrefix) std::memcpy(&following, head, kPrefix);
  if (bytes < kPrefix || following < bytes - kPrefix ||
      (following > bytes - kPrefix && bytes < head_bytes_)) {
    throw Error(ErrorKind::truncated,
                fmt::format("the message from rank {} is damaged; the ranks do not agree on the "
                            "algorithm or its options",
                            from));
  }
  const Bytes whole = kPrefix + following;
  if (whole <= head_bytes_) {
    open(place, head, whole);
    return {};
  }
  std::byte* message = long_messages_[place].provide(whole);
  std::memcpy(message, head, static_cast<std::size_t>(head_bytes_));
  long_bytes_[place] = whole;
  const Bytes rest = whole - head_bytes_;
  return {start_receive(message + head_bytes_, rest, {from, tag_, yard_.comm()}), rest, false};
}

void LabelledCargo::open(std::size_t place, const std::byte* data, Bytes bytes) {
  Arrived& message = arrived_[place];
  const std::span table(data + kPrefix, static_cast<std::size_t>(bytes - kPrefix));
  const std::size_t table_bytes = decode(table, yard_.ranks(), message.contents);
  message.payload = table.data() + table_bytes;
  Bytes payload = 0;
  for (const Entry& entry : message.contents) payload += entry.length;
  const Bytes present = static_cast<Bytes>(table.size() - table_bytes);
  if (present != (payload_ ? payload : 0)) {
    throw Error(ErrorKind::truncated,
                fmt::format("the message from rank {} announces {} bytes and brings {}",
                            message.from, payload, present));
  }
  received_payload_ += payload;
}

}  // namespace shunt
