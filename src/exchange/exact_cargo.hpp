// A stage whose message lengths both sides know: no message carries more than payload, and empty
// ones are not sent.
#pragma once

#include <functional>
#include <vector>

#include <mpi.h>

#include "exchange/stage_runner.hpp"

namespace shunt {

/// The messages of one step. `bytes` 0: none in that direction.
struct ExactStep {
  Rank to = kNoRank;
  const std::byte* send = nullptr;
  Bytes send_bytes = 0;
  Rank from = kNoRank;
  std::byte* receive = nullptr;
  Bytes receive_bytes = 0;
};

class ExactCargo final : public Cargo {
 public:
  ExactCargo(MPI_Comm comm, int tag) : comm_(comm), tag_(tag) {}
  ~ExactCargo() override;

  std::vector<ExactStep>& steps() { return steps_; }
  [[nodiscard]] const std::vector<ExactStep>& steps() const { return steps_; }

  /// Called for each step whose message has arrived.
  std::function<void(std::size_t)> on_arrival;

  /// Says that handling an arrival takes time that waiting for the next one can hide: true for long
  /// messages that are to be copied on.
  void set_prompt(bool prompt) { prompt_ = prompt; }

  /// Makes persistent requests for the messages; the steps may not change from then on.
  void prepare();

  Posted post_receive(std::size_t step) override;
  Posted post_send(std::size_t step) override;
  Posted received(std::size_t step, const MPI_Status& status) override;
  Posted sent(std::size_t /*step*/) override { return {}; }
  [[nodiscard]] bool prompt() const override { return prompt_; }
  [[nodiscard]] bool persistent() const override { return !receives_.empty(); }

 private:
  MPI_Comm comm_;
  int tag_;
  bool prompt_ = false;
  std::vector<ExactStep> steps_;
  std::vector<MPI_Request> sends_;     ///< persistent, by step
  std::vector<MPI_Request> receives_;  ///< persistent, by step
};

}  // namespace shunt
