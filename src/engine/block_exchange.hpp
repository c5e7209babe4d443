// A one-shot exchange of ordered blocks: nothing is known before but each rank's own counts.
#pragma once

#include <memory>
#include <vector>

#include "context/blocks.hpp"
#include "engine/block_stage.hpp"
#include "engine/exact_messages.hpp"
#include "engine/node_stages.hpp"
#include "routing/landing.hpp"
#include "shunt/counters.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// Length of the heads that a one-shot exchange posts receives for.
inline constexpr Bytes kHeadBytes = 8192;

class BlockExchange {
 public:
  /// `head_bytes` is the same on all ranks. Everything referred to must outlive the exchange.
  BlockExchange(Context& context, const Schedule& schedule, const Options& options,
                Bytes head_bytes, const SendBlocks& send, const ReceiveBlocks& receive);

  BlockExchange(const BlockExchange&) = delete;
  BlockExchange& operator=(const BlockExchange&) = delete;
  /// Frees the requests of sends that an exception has left under way; their memory stays the
  /// communicator's.
  ~BlockExchange();

  /// Collective. Throws Error(truncated) where the ranks' counts do not agree.
  Counters run();

 private:
  void run_labelled(int stage);
  void run_last(int stage);
  void pack(int stage, bool label);
  void run_stage(int stage, StageMessages& stage_messages, SharedInbox& inbox);
  void wait_for_sends(int buffer);
  /// Counts the messages of the last stage; returns how many bytes of them have to be received
  /// elsewhere and copied into place.
  [[nodiscard]] Bytes count_received(int stage, const std::vector<Arrival>& arrivals);
  void land_own(const Arrival* arrival, const Departure& departure) const;
  void gather(const Outgoing& message, std::byte* to) const;
  void count_sent(int stage, Bytes metadata);

  Context& context_;
  const Schedule& schedule_;
  const Options& options_;
  Bytes head_bytes_;
  const SendBlocks& send_;
  const ReceiveBlocks& receive_;
  int tag_;
  NodeStages node_;

  Streams streams_;
  std::vector<const std::byte*> places_;  ///< where the ranges of the streams lie
  std::vector<Outgoing> outgoing_;
  std::vector<Departure> departures_;
  Bytes longest_stage_ = 0;                    ///< the most bytes of messages longer than a head
  std::unique_ptr<LabelledMessages> arrived_;  ///< the last stage's messages, until they are packed
  StageRunner runner_;
  std::vector<MPI_Request> sends_[2];  ///< by send buffer: what still leaves from it
  Counters counters_;
};

}  // namespace shunt
