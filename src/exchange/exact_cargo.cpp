#include "exchange/exact_cargo.hpp"

#include "exchange/mpi_call.hpp"
#include "exchange/simulated.hpp"

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

ExactCargo::~ExactCargo() {
  if (!persistent() || !mpi_is_running()) return;
  for (std::vector<MPI_Request>* requests : {&sends_, &receives_}) {
    for (MPI_Request& request : *requests) {
      if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    }
  }
}

void ExactCargo::cut(Bytes packet, const std::vector<PortTurn>& turns, Rank own) {
  if (!turns.empty()) turns_.emplace(comm_, tag_, own, turns);
  awaited_.assign(steps_.size(), 0);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Bytes longest = std::max(steps_[i].send_bytes, steps_[i].receive_bytes);
    Bytes begin = 0;
    do {
      packets_.push_back({i, begin, begin + packet});
      begin += packet;
    } while (begin < longest);
  }
}

void ExactCargo::prepare() {
  empty_ = std::ranges::all_of(
      steps_, [](const ExactStep& step) { return step.send_bytes + step.receive_bytes == 0; });
  // SMPI charges no start-up where a persistent request is started.
  if (kSimulated) return;
  sends_.assign(size(), MPI_REQUEST_NULL);
  receives_.assign(size(), MPI_REQUEST_NULL);
  for (std::size_t i = 0; i < size(); ++i) {
    const Packet part = packet(i);
    const ExactStep& step = steps_[part.step];
    if (const Bytes bytes = share(part, step.receive_bytes); bytes > 0) {
      receives_[i] = prepare_receive(step.receive + part.begin, {bytes, step.receive_pieces},
                                     {step.from, tag_, comm_});
    }
    if (const Bytes bytes = share(part, step.send_bytes); bytes > 0) {
      sends_[i] =
          prepare_send(step.send + part.begin, {bytes, step.send_pieces}, {step.to, tag_, comm_});
    }
  }
}

bool ExactCargo::may_send(std::size_t index, MPI_Request& turn) {
  if (!turns_) return true;
  const Packet part = packet(index);
  if (part.begin > 0) return true;
  if (!turns_->has_come(part.step, turn)) return false;
  if (steps_[part.step].receive_bytes == 0) turns_->pass(part.step);
  return true;
}

Posted ExactCargo::post_receive(std::size_t index) {
  const Packet part = packet(index);
  const ExactStep& step = steps_[part.step];
  const Bytes bytes = share(part, step.receive_bytes);
  if (bytes == 0) return {};
  if (!awaited_.empty() && part.begin == 0) {
    awaited_[part.step] = 1 + (step.receive_bytes - 1) / part.end;
  }
  if (!persistent()) {
    return {start_receive(step.receive + part.begin, {bytes, told(step.receive_pieces)},
                          {step.from, tag_, comm_}),
            bytes};
  }
  check_mpi(MPI_Start(&receives_[index]), "MPI_Start");
  return {receives_[index], bytes};
}

Posted ExactCargo::post_send(std::size_t index) {
  const Packet part = packet(index);
  const ExactStep& step = steps_[part.step];
  const Bytes bytes = share(part, step.send_bytes);
  if (bytes == 0) return {};
  if (!persistent()) {
    charge_pieces(bytes, step.send_pieces);
    return {
        start_send(step.send + part.begin, {bytes, told(step.send_pieces)}, {step.to, tag_, comm_}),
        bytes};
  }
  check_mpi(MPI_Start(&sends_[index]), "MPI_Start");
  return {sends_[index], bytes};
}

Posted ExactCargo::received(std::size_t index, const MPI_Status& status) {
  const Packet part = packet(index);
  const ExactStep& step = steps_[part.step];
  const Bytes bytes = share(part, step.receive_bytes);
  expect_length(status, bytes, step.from, told(step.receive_pieces));
  charge_pieces(bytes, step.receive_pieces);
  if (!awaited_.empty() && --awaited_[part.step] > 0) return {};
  if (turns_) turns_->pass(part.step);
  if (on_arrival) on_arrival(part.step);
  return {};
}

}  // namespace shunt
