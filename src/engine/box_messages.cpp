#include "engine/box_messages.hpp"

#include <algorithm>
#include <utility>

#include "mpi_calls/mpi_call.hpp"
#include "mpi_calls/simulated.hpp"

namespace shunt {

void BoxMessages::prepare() {
  Bytes longest = 0;
  for (const BoxStep& step : steps_) {
    if (step.out) longest = std::max(longest, step.out->boxes.bytes());
    if (step.in) longest = std::max(longest, step.in->boxes.bytes());
  }
  pool_bytes_ = std::min(packet_, longest);
  packets_.emplace(static_cast<std::size_t>(pool_bytes_));
}

Bytes BoxMessages::most(std::optional<BoxEnd> BoxStep::*end, int messages) const {
  const auto all =
      std::ranges::count_if(steps_, [end](const BoxStep& step) { return (step.*end).has_value(); });
  return std::min<Bytes>(all, messages) * pool_bytes_;
}

Bytes BoxMessages::next_bytes(const BoxEnd& end) const {
  return std::min(packet_, end.boxes.bytes() - end.done);
}

Posted BoxMessages::post_receive(std::size_t step) {
  std::optional<BoxEnd>& in = steps_[step].in;
  if (!in) return {};
  in->done = 0;
  in->boxes.rewind();
  in->packet = packets_->take();
  return receive_next(*in);
}

Posted BoxMessages::receive_next(BoxEnd& in) {
  const Bytes bytes = next_bytes(in);
  return {start_receive(in.packet.get(), bytes, {in.peer, tag_, comm_}), bytes,
          bytes < in.boxes.bytes() - in.done};
}

Posted BoxMessages::received(std::size_t step, const MPI_Status& status) {
  BoxEnd& in = *steps_[step].in;
  const Bytes bytes = next_bytes(in);
  expect_length(status, bytes, in.peer);
  charge_copies(bytes);
  if (payloads_are_real()) arrays_.unpack(in.boxes, in.packet.get(), bytes);
  in.done += bytes;
  if (in.done < in.boxes.bytes()) return receive_next(in);
  packets_->give_back(std::move(in.packet));
  return {};
}

Posted BoxMessages::post_send(std::size_t step) {
  std::optional<BoxEnd>& out = steps_[step].out;
  if (!out) return {};
  out->done = 0;
  out->boxes.rewind();
  out->packet = packets_->take();
  return send_next(*out);
}

Posted BoxMessages::send_next(BoxEnd& out) {
  const Bytes bytes = next_bytes(out);
  charge_copies(bytes);
  if (payloads_are_real()) arrays_.pack(out.boxes, out.packet.get(), bytes);
  out.done += bytes;
  // Its packet is wanted back when the last one has left.
  return {start_send(out.packet.get(), bytes, {out.peer, tag_, comm_}), bytes, true};
}

Posted BoxMessages::sent(std::size_t step) {
  BoxEnd& out = *steps_[step].out;
  if (out.done < out.boxes.bytes()) return send_next(out);
  packets_->give_back(std::move(out.packet));
  return {};
}

}  // namespace shunt
