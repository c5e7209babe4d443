// Planned redistributions of one array or several: every rank's elements go straight to where they
// belong, and those of all arrays in one message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "exchange/box_arrays.hpp"
#include "exchange/box_cargo.hpp"
#include "exchange/lent_boxes.hpp"
#include "exchange/local_redistribution.hpp"
#include "exchange/node/kept_sharing.hpp"
#include "exchange/node/shared_inbox.hpp"
#include "exchange/planned_exchange.hpp"
#include "exchange/stage_runner.hpp"
#include "exchange/yard_state.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// In which order a rank turns to the others.
enum class MessageOrder {
  by_distance,  ///< everybody goes round, and meets others at the same distance in a step
  scheduled,    ///< by the schedule of fewest steps; of one redistribution, which all ranks make
};

/// Bytes of the packets in which elements of `element` bytes go to other nodes: whole elements, if
/// there is room for one. Throws Error(argument) where the memory limit of `options` is less than
/// two elements.
[[nodiscard]] Bytes redistribution_packet(const Options& options, Bytes element);

/// In the place of a RedistributionRun and its one execution, where this rank cannot make them:
/// draws what the other ranks draw, so that later exchanges match. Ranks of its node that wait for
/// a message of this one get none, and an error.
void stay_out_of_redistribution(YardState& yard, const Options& options);

/// Ranks of one node pass elements through its memory, packed by one and unpacked by the other, or
/// copy them from an array that is there already; packets go to other nodes. What a rank keeps goes
/// straight from array to array. Redistributions of a communicator that are under way at the same
/// time use the node's memory one after the other.
class RedistributionRun final : public PlannedExchange, private SharedInbox {
 public:
  /// Local; all ranks make theirs in the same order, of the same redistributions but for those that
  /// a rank has nothing to do with, and with the same `order`. All elements have `element` bytes.
  /// Throws Error(argument) where the memory limit of `options` is less than two of them.
  RedistributionRun(const std::shared_ptr<YardState>& yard, const Options& options,
                    const std::vector<LocalRedistribution>& redistributions, Bytes element,
                    MessageOrder order);
  /// Lets the other ranks of the node go on, also if the exchange did not come to its end.
  ~RedistributionRun() override;

  /// Where the arrays of each of the redistributions lie, from the next execution on; they do not
  /// overlap. With an update what arrives is put together with what is there: packets hold an
  /// element of those.
  void bind(std::vector<BoxArrays::Pair> pairs);

  bool advance(bool wait) override;

 private:
  /// A message that goes through the memory of the node.
  struct SharedOut {
    std::size_t place;  ///< of the receiver, in the node
    BoxEnd end;
    LentBoxes::Description description = {};  ///< empty: it is packed
  };

  bool begin() override;
  /// Packs what leaves first, if there is room for it.
  bool pack();
  /// Nothing of what this rank keeps is copied, and nothing has arrived.
  void begin_own();
  /// Goes on with what this rank keeps, up to so many bytes of it.
  void copy_own(Bytes end);
  /// As large a part of what this rank keeps as has arrived of the rest, in whole elements: where
  /// runs are short both lie in the same cache lines, which are then fetched once.
  [[nodiscard]] Bytes own_in_step() const;
  void plan_steps(const std::vector<LocalRedistribution>& redistributions, MessageOrder order);
  void count(const BoxStep& step);
  /// Takes from the cargo what does not go through MPI.
  void share(const std::vector<LocalRedistribution>& redistributions);

  SharedLanding landing_for(std::size_t step, Bytes length) override;
  Loans::CopyPiece borrowed(std::size_t step, const std::byte* description) override;
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
  Bytes shared_bytes_ = 0;                        ///< of them all
  Bytes arrived_ = 0;                             ///< of those bytes, in this execution
  LentBoxes lent_;
  BoxSeries own_from_;
  BoxSeries own_to_;
  Bytes own_done_ = 0;  ///< of them, in this execution
  bool packed_ = true;
  bool ended_ = true;  ///< the execution that was started last
};

}  // namespace shunt
