#include "engine/exact_messages.hpp"

#include "mpi_calls/mpi_call.hpp"
#include "mpi_calls/simulated.hpp"

namespace shunt {

namespace {

/// What MPI hears of pieces. Those of a folded payload are one: SMPI would gather them in memory
/// that is real.
MPI_Datatype told(MPI_Datatype pieces) { return payloads_are_real() ? pieces : MPI_DATATYPE_NULL; }

/// MPI moves pieces itself, which SMPI does in no time.
void charge_pieces(Bytes bytes, MPI_Datatype pieces) {
  if (kSimulated && pieces != MPI_DATATYPE_NULL) charge_copies(bytes);
}

}  // namespace

void ExactMessages::cut(Bytes packet, const std::vector<TokenTurn>& turns, Rank own) {
  if (!turns.empty()) turns_.emplace(comm_, tag_, own, turns);
  awaited_.assign(steps_.size(), 0);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Bytes longest = std::max(steps_[i].out.bytes, steps_[i].in.bytes);
    Bytes begin = 0;
    do {
      packets_.push_back({i, begin, begin + packet});
      begin += packet;
    } while (begin < longest);
  }
}

void ExactMessages::prepare() {
  empty_ = std::ranges::all_of(
      steps_, [](const ExactStep& step) { return step.out.bytes + step.in.bytes == 0; });
}

bool ExactMessages::may_send(std::size_t index, MPI_Request& turn) {
  if (!turns_) return true;
  const Packet part = packet(index);
  if (part.begin > 0) return true;
  if (!turns_->has_come(part.step, turn)) return false;
  if (steps_[part.step].in.bytes == 0) turns_->pass(part.step);
  return true;
}

Posted ExactMessages::post_receive(std::size_t index) {
  const Packet part = packet(index);
  const auto& [from, at, whole, pieces] = steps_[part.step].in;
  const Bytes bytes = share(part, whole);
  if (bytes == 0) return {};
  if (!awaited_.empty() && part.begin == 0) {
    awaited_[part.step] = 1 + (whole - 1) / part.end;
  }
  return {start_receive(at + part.begin, {bytes, told(pieces)}, {from, tag_, comm_}), bytes};
}

Posted ExactMessages::post_send(std::size_t index) {
  const Packet part = packet(index);
  const auto& [to, at, whole, pieces] = steps_[part.step].out;
  const Bytes bytes = share(part, whole);
  if (bytes == 0) return {};
  charge_pieces(bytes, pieces);
  return {start_send(at + part.begin, {bytes, told(pieces)}, {to, tag_, comm_}), bytes};
}

Posted ExactMessages::received(std::size_t index, const MPI_Status& status) {
  const Packet part = packet(index);
  const ExactEnd<std::byte>& in = steps_[part.step].in;
  const Bytes bytes = share(part, in.bytes);
  expect_length(status, bytes, in.peer, told(in.pieces));
  charge_pieces(bytes, in.pieces);
  if (!awaited_.empty() && --awaited_[part.step] > 0) return {};
  if (turns_) turns_->pass(part.step);
  if (on_arrival) on_arrival(part.step);
  return {};
}

}  // namespace shunt
