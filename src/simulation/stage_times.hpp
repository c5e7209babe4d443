// When the messages of one stage are under way, on each kind of machine.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "routing/message_sums.hpp"
#include "routing/rank_classes.hpp"
#include "schedule/torus_links.hpp"
#include "simulation/port_machine.hpp"

namespace shunt {

/// Seconds since all ranks began with the stage.
struct Span {
  double begin = 0;
  double end = 0;
};

struct StageTimes {
  std::vector<Span> messages;  ///< of those to oneself: nothing
  std::vector<double> done;    ///< by class of ranks: when such a rank has sent and received all
};

/// The messages of a stage, by step, and which ranks are alike.
struct StageMessages {
  std::span<const StageMessage> messages;
  const RankClasses& classes;
};

/// Blocking mode: a rank takes its steps one by one, those in which it sends or receives anything.
/// In a step it expects its message, and sends the other: it is busy with the start-up, and then
/// the message is under way as soon as its receiver is at the same step. The step is over when both
/// messages are there. One port in and one out for each rank are then free by themselves. Costs
/// O(messages).
[[nodiscard]] StageTimes step_by_step(const StageMessages& stage, const LinkCost& cost);

/// The same where the ranks of a node take turns, in the order of the steps: a step with another
/// node begins when that before it of any rank of this node is over. For algorithms that spare the
/// ports of these nodes. The hand-over costs nothing.
[[nodiscard]] StageTimes step_by_step_in_turns(const StageMessages& stage, const LinkCost& cost,
                                               const NodePorts& nodes);

/// The same where they do not take turns: a message to another node begins when both ranks are
/// ready and the ports of both nodes are free, and has them until it ends. A port that gets free
/// goes to the message that has waited longest of those that can begin; of several, to that of the
/// earliest step, and then of the lowest sender. Every rank is a class. Costs O(messages * ranks of
/// a node).
[[nodiscard]] StageTimes step_by_step_on_ports(const StageMessages& stage, const LinkCost& cost,
                                               const NodePorts& nodes);

/// Posted at once: a rank is busy with the start-ups of its messages, one after the other by their
/// steps; after its own a message is under way, for its receiver is ready. All messages under way
/// through a port share it, and those inside a node its memory, max-min fairly: none could get more
/// but from one that gets no more than it. `Span::begin` is when the start-up begins. Every rank is
/// a class. Costs O(messages * nodes^2), where nearly all end at times of their own. Throws
/// Error(argument) on more than 2048 nodes.
[[nodiscard]] StageTimes all_at_once(const StageMessages& stage, const LinkCost& cost,
                                     const NodePorts& nodes);

/// Which way round a dimension a message goes where both are as far.
using WayRound = std::function<Way(Rank from, Rank to)>;

/// All ports at once: all messages of the stage begin together and go along the dimensions in
/// order, each the shorter way round that there is; without a buffer on the way, so that their
/// distance costs nothing. Start-ups of messages that leave a rank by the same link follow each
/// other. A message that shares links is as slow as the link of its way that has most to carry, and
/// ends when that has carried everything: so no link ever carries more than it can, and the busiest
/// is never idle. Costs O(messages * distance).
[[nodiscard]] StageTimes all_ports(const StageMessages& stage, const LinkCost& cost,
                                   const ArrayLinks& links, const WayRound& way_round);

}  // namespace shunt
