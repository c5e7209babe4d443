// A planned redistribution: every rank's elements go straight to where they belong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "algorithms/redistribution/redistribution.hpp"
#include "exchange/box_arrays.hpp"
#include "exchange/box_cargo.hpp"
#include "exchange/node/kept_sharing.hpp"
#include "exchange/node/shared_inbox.hpp"
#include "exchange/planned_exchange.hpp"
#include "exchange/stage_runner.hpp"
#include "exchange/yard_state.hpp"
#include "shunt/element_update.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// What of its two arrays a rank keeps where.
struct LocalArrays {
  std::vector<Bytes> from_strides;  ///< bytes, by dimension
  std::vector<Bytes> to_strides;
  Bytes element;
};

/// Ranks of one node pass elements through its memory, packed by one and unpacked by the other;
/// packets go to other nodes. What a rank keeps goes straight from array to array. Redistributions
/// of a communicator that are under way at the same time use the node's memory one after the other.
class RedistributionRun final : public PlannedExchange, private SharedInbox {
 public:
  /// Local; all ranks make theirs in the same order. `packet` is at least one byte.
  RedistributionRun(const std::shared_ptr<YardState>& yard, const Options& options,
                    const Redistribution& redistribution, const LocalArrays& arrays);
  /// Lets the other ranks of the node go on, also if the exchange did not come to its end.
  ~RedistributionRun() override;

  /// Where the arrays lie, from the next execution on; they do not overlap. With an `update` what
  /// arrives is put together with what is there. Throws Error(argument) where packets do not hold
  /// an element of those.
  void bind(const std::byte* from, std::byte* to, ElementUpdate update = {});

  bool advance(bool wait) override;

 private:
  /// A message that goes through the memory of the node.
  struct SharedOut {
    std::size_t place;  ///< of the receiver, in the node
    BoxEnd end;
  };

  bool begin() override;
  /// Packs what leaves first, if there is room for it.
  bool pack();
  void copy_own();
  void plan_steps(const std::vector<BoxMessage>& sends, const std::vector<BoxMessage>& receives);
  /// Takes from the cargo what does not go through MPI.
  void share();

  MovePiece landing_for(std::size_t step, Bytes length) override;
  void arrived(std::size_t /*step*/) override {}

  Options options_;
  Bytes element_;
  Bytes packet_;
  BoxArrays arrays_;
  BoxCargo cargo_;
  StageRunner runner_;
  KeptSharing* sharing_ = nullptr;  ///< null: all messages go through MPI
  std::uint64_t number_ = 0;        ///< of the execution, among those that share
  std::vector<SharedOut> shared_out_;
  std::vector<std::optional<BoxEnd>> shared_in_;  ///< by step
  std::optional<BoxCursor> own_from_;
  std::optional<BoxCursor> own_to_;
  Bytes own_bytes_ = 0;
  bool packed_ = true;
  bool ended_ = true;  ///< the execution that was started last
};

}  // namespace shunt
