// Planned redistributions of one array or several: every rank's elements go straight to where they
// belong, and those of all arrays in one message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "context/context.hpp"
#include "engine/box_arrays.hpp"
#include "engine/box_messages.hpp"
#include "engine/exposed_boxes.hpp"
#include "engine/local_redistribution.hpp"
#include "engine/planned_exchange.hpp"
#include "engine/stage_runner.hpp"
#include "shunt/options.hpp"
#include "transport/call_channel.hpp"
#include "transport/shared_inbox.hpp"

namespace shunt {

/// The order in which a rank exchanges messages with the others.
enum class MessageOrder {
  by_distance,  ///< in step k with the ranks at distance k, cyclically
  scheduled,    ///< by the schedule of fewest steps; for a single redistribution of two grids
};

/// Bytes of the packets in which elements of `element` bytes go to other nodes: whole elements, if
/// there is room for one. Throws Error(argument) where the memory limit of `options` is less than
/// two elements.
[[nodiscard]] Bytes redistribution_packet(const Options& options, Bytes element);

/// Stays out of one execution of a RedistributionRun that this rank cannot make: draws the tags and
/// numbers that the other ranks draw, so that later exchanges match. Ranks of its node that wait
/// for a message of this one get an error.
void stay_out_of_redistribution(Context& context, const Options& options);

/// A redistribution that can be executed many times. Ranks of one node pass elements through its
/// memory, packed by one and unpacked by the other, or copy them from an array that is in that
/// memory already; packets go to other nodes. What a rank keeps goes straight from array to array.
/// Redistributions of a communicator that are under way at the same time use the node's memory one
/// after the other.
class RedistributionRun final : public PlannedExchange, private SharedInbox {
 public:
  /// Local; all ranks make theirs in the same order, of the same redistributions but for those that
  /// a rank has nothing to do with, and with the same `order`. All elements have `element` bytes.
  /// Throws Error(argument) where the memory limit of `options` is less than two of them.
  RedistributionRun(const std::shared_ptr<Context>& context, const Options& options,
                    const std::vector<LocalRedistribution>& redistributions, Bytes element,
                    MessageOrder order);
  /// Lets the other ranks of the node go on, also if the exchange did not come to its end.
  ~RedistributionRun() override;

  /// Sets where the arrays of each redistribution lie, from the next execution on; they do not
  /// overlap. Packets hold at least one element where there is an update.
  void bind(std::vector<BoxArrays::Pair> pairs);

  bool advance(bool wait) override;

 private:
  /// A message that goes through the memory of the node.
  struct SharedOut {
    std::size_t place;  ///< of the receiver in the node
    BoxEnd end;
    ExposedBoxes::Description description = {};  ///< empty: it is packed
  };

  bool begin() override;
  /// Packs what leaves first, if there is room for it.
  bool pack();
  /// Resets what was copied of what this rank keeps, and what has arrived, to nothing.
  void begin_own();
  /// Copies on what this rank keeps, up to its byte `end`.
  void copy_own(Bytes end);
  /// Returns the bytes of what this rank keeps that are in proportion to what has arrived of the
  /// rest, in whole elements. Where runs are short both lie in common cache lines, which are then
  /// fetched once.
  [[nodiscard]] Bytes own_in_step() const;
  void plan_steps(const std::vector<LocalRedistribution>& redistributions, MessageOrder order);
  void count(const BoxStep& step);
  /// Removes from the messages what does not go through MPI.
  void share(const std::vector<LocalRedistribution>& redistributions);

  SharedLanding landing_for(std::size_t step, Bytes length) override;
  SingleCopies::CopyPiece pulled(std::size_t step, const std::byte* description) override;
  void arrived(std::size_t /*step*/) override {}

  Options options_;
  Bytes element_;
  BoxArrays arrays_;
  BoxMessages stage_messages_;
  StageRunner runner_;
  CallChannel* channel_ = nullptr;  ///< null: all messages go through MPI
  std::uint64_t number_ = 0;        ///< of the execution, among those that share
  std::vector<SharedOut> shared_out_;
  std::vector<std::optional<BoxEnd>> shared_in_;  ///< by step
  Bytes shared_bytes_ = 0;                        ///< bytes of all of `shared_in_`
  Bytes arrived_ = 0;                             ///< how many of them have come in this execution
  ExposedBoxes exposed_;
  BoxSeries own_from_;
  BoxSeries own_to_;
  Bytes own_done_ = 0;  ///< bytes of `own_from_` copied in this execution
  bool packed_ = true;
  bool ended_ = true;  ///< the execution that was started last
};

}  // namespace shunt
