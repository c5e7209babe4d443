// When the messages of one stage are under way, on each kind of machine.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "lab/flow/message_sums.hpp"
#include "lab/flow/rank_classes.hpp"
#include "lab/flow/torus_links.hpp"
#include "lab/simulation/port_machine.hpp"

namespace shunt {

/// Seconds since all ranks began with the stage.
struct Span {
  double begin = 0;
  double end = 0;
};

struct StageTimes {
  std::vector<Span> messages;  ///< times of each message; of no length for those to oneself
  std::vector<double> done;    ///< by class of ranks: when such a rank has sent and received all
};

/// The messages of a stage, by step, and the classes of ranks.
struct StageMessages {
  std::span<const StageMessage> messages;
  const RankClasses& classes;
};

/// Returns the times of a stage in blocking mode: a rank takes its steps one by one, those in which
/// it sends or receives anything. In a step it expects one message and sends another: it is busy
/// with the start-up, and then the message is under way as soon as its receiver is at the same
/// step. The step is over when both messages are there. So no rank ever uses its port in, or its
/// port out, twice at a time. Costs O(messages).
[[nodiscard]] StageTimes step_by_step(const StageMessages& stage, const LinkCost& cost);

/// Returns the times of a stage in blocking mode in which the ranks of a node take turns, in the
/// order of the steps: a step with another node begins when the one before it, of any rank of this
/// node, is over. For algorithms that spare the ports of these nodes. Passing the turn on costs
/// nothing.
[[nodiscard]] StageTimes step_by_step_in_turns(const StageMessages& stage, const LinkCost& cost,
                                               const NodePorts& nodes);

/// Returns the times of a stage in blocking mode in which the ranks of a node share its ports
/// without an order: a message to another node begins when both ranks are ready and the ports of
/// both nodes are free, and occupies them until it ends. A free port goes to the message that has
/// waited longest of those that can begin; of several, to that of the earliest step, and then of
/// the lowest sender. Every rank is a class. Costs O(messages * ranks of a node).
[[nodiscard]] StageTimes step_by_step_on_ports(const StageMessages& stage, const LinkCost& cost,
                                               const NodePorts& nodes);

/// Returns the times of a stage whose messages are all posted at once: a rank is busy with the
/// start-ups of its messages, one after the other by their steps; after its own start-up a message
/// is under way, since its receiver is ready. All messages under way through a port share it, and
/// those inside a node share its memory, max-min fairly: none could get more without taking it from
/// one that gets no more. `Span::begin` is when the start-up begins. Every rank is a class. Costs
/// O(messages * nodes^2), where nearly all end at different times. Throws Error(argument) on more
/// than 2048 nodes.
[[nodiscard]] StageTimes all_at_once(const StageMessages& stage, const LinkCost& cost,
                                     const NodePorts& nodes);

/// Which way round a dimension a message goes where both ways are equally long.
using WayRound = std::function<Way(Rank from, Rank to)>;

/// Returns the times of a stage on all ports of an array: all messages begin together and go along
/// the dimensions in order, each the shorter way round that there is, without buffers between, so
/// that distance costs nothing. Start-ups of messages that leave a rank by one link follow each
/// other. A message that shares links is as slow as the link of its path that has most to carry,
/// and ends when that has carried everything: so no link ever carries more than it can, and the
/// busiest is never idle. Costs O(messages * distance).
[[nodiscard]] StageTimes all_ports(const StageMessages& stage, const LinkCost& cost,
                                   const ArrayLinks& links, const WayRound& way_round);

}  // namespace shunt
