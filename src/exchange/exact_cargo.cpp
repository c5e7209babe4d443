#include "exchange/exact_cargo.hpp"

#include "exchange/mpi_call.hpp"
#include "exchange/simulated.hpp"

namespace shunt {

ExactCargo::~ExactCargo() {
  if (!persistent() || !mpi_is_running()) return;
  for (std::vector<MPI_Request>* requests : {&sends_, &receives_}) {
    for (MPI_Request& request : *requests) {
      if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    }
  }
}

void ExactCargo::prepare() {
  // SMPI charges no start-up where a persistent request is started.
  if (kSimulated) return;
  sends_.assign(steps_.size(), MPI_REQUEST_NULL);
  receives_.assign(steps_.size(), MPI_REQUEST_NULL);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const ExactStep& step = steps_[i];
    if (step.receive_bytes > 0) {
      receives_[i] = prepare_receive(step.receive, step.receive_bytes, {step.from, tag_, comm_});
    }
    if (step.send_bytes > 0) {
      sends_[i] = prepare_send(step.send, step.send_bytes, {step.to, tag_, comm_});
    }
  }
}

Posted ExactCargo::post_receive(std::size_t index) {
  const ExactStep& step = steps_[index];
  if (step.receive_bytes == 0) return {};
  if (!persistent()) {
    return {start_receive(step.receive, step.receive_bytes, {step.from, tag_, comm_}),
            step.receive_bytes};
  }
  check_mpi(MPI_Start(&receives_[index]), "MPI_Start");
  return {receives_[index], step.receive_bytes};
}

Posted ExactCargo::post_send(std::size_t index) {
  const ExactStep& step = steps_[index];
  if (step.send_bytes == 0) return {};
  if (!persistent()) {
    return {start_send(step.send, step.send_bytes, {step.to, tag_, comm_}), step.send_bytes};
  }
  check_mpi(MPI_Start(&sends_[index]), "MPI_Start");
  return {sends_[index], step.send_bytes};
}

Posted ExactCargo::received(std::size_t index, const MPI_Status& status) {
  expect_length(status, steps_[index].receive_bytes, steps_[index].from);
  if (on_arrival) on_arrival(index);
  return {};
}

}  // namespace shunt
