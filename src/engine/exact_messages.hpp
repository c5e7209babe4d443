// A stage whose message lengths both sides know: no message carries more than payload, and empty
// ones are not sent.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include <mpi.h>

#include "engine/stage_runner.hpp"
#include "engine/token_passing.hpp"

namespace shunt {

/// One end of a message; `bytes` 0: there is none.
template <class Byte>
struct ExactEnd {
  Rank peer = kNoRank;
  Byte* at = nullptr;
  Bytes bytes = 0;
  MPI_Datatype pieces = MPI_DATATYPE_NULL;  ///< where the bytes lie in several
};

/// A message out and one in.
struct ExactStep {
  ExactEnd<const std::byte> out = {};
  ExactEnd<std::byte> in = {};
};

/// The messages of a stage whose lengths are known. Each execution starts new requests: Open MPI
/// 4.1 copies a short message to the receiver when it is sent and is done with it, but keeps that
/// of a persistent request until the receiver has taken it, so that a rank that only sends waits
/// for others. With persistent requests an all-gather from one of 8 ranks took three times as long.
class ExactMessages final : public StageMessages {
 public:
  ExactMessages(MPI_Comm comm, int tag) : comm_(comm), tag_(tag) {}

  std::vector<ExactStep>& steps() { return steps_; }

  /// Whether no step has a message.
  [[nodiscard]] bool empty() const { return empty_; }

  /// What the runner takes for steps: packets, or whole messages.
  [[nodiscard]] std::size_t size() const {
    return packets_.empty() ? steps_.size() : packets_.size();
  }

  /// Cuts messages longer than `packet` > 0 bytes into packets of that many, each of which is sent
  /// as a message; none may lie in several pieces. With `turns`, by step, no message is sent before
  /// its turn; `own` is this rank. The steps may not change from then on.
  void cut(Bytes packet, const std::vector<TokenTurn>& turns, Rank own);

  /// Called for each step whose message has arrived.
  std::function<void(std::size_t)> on_arrival;

  /// Sets whether arrivals are handled one by one, which hides copying behind waiting: true for
  /// long messages that are to be copied on.
  void set_prompt(bool prompt) { prompt_ = prompt; }

  [[nodiscard]] int tag() const { return tag_; }
  /// Sets the tag of messages that start from now on. Not after `cut`, whose turns keep their tag.
  void set_tag(int tag) { tag_ = tag; }

  /// Finds out whether it is `empty`; the steps may not change from then on.
  void prepare();

  [[nodiscard]] bool may_send(std::size_t index, MPI_Request& turn) override;
  void turn_came() override { turns_->came(); }
  Posted post_receive(std::size_t index) override;
  Posted post_send(std::size_t index) override;
  Posted received(std::size_t index, const MPI_Status& status) override;
  Posted sent(std::size_t /*index*/) override { return {}; }
  /// With turns an arrival may hand on a token that others wait for.
  [[nodiscard]] bool prompt() const override { return prompt_ || turns_.has_value(); }

 private:
  /// A packet of the message out, and of the message in, of a step.
  struct Packet {
    std::size_t step;
    Bytes begin;
    Bytes end;
  };

  [[nodiscard]] Packet packet(std::size_t index) const {
    return packets_.empty() ? Packet{index, 0, std::numeric_limits<Bytes>::max()} : packets_[index];
  }
  /// The part of a message of `bytes` bytes that is in `packet`.
  [[nodiscard]] static Bytes share(const Packet& packet, Bytes bytes) {
    return std::min(packet.end, bytes) - std::min(packet.begin, bytes);
  }

  MPI_Comm comm_;
  int tag_;
  bool prompt_ = false;
  bool empty_ = false;
  std::vector<ExactStep> steps_;
  std::vector<Packet> packets_;        ///< empty: no message is cut
  std::vector<Bytes> awaited_;         ///< packets, by step
  std::optional<TokenPassing> turns_;  ///< none: each message is sent as soon as it may
};

}  // namespace shunt
