// When messages get through where processors keep to no steps: each sends one after the other, and
// all that is sent to the same one waits for its port.
#pragma once

#include <span>
#include <vector>

#include "lab/simulation/stage_times.hpp"
#include "model/loads.hpp"
#include "schedule/one_port.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Which of the messages that are sent to it a processor takes next.
enum class Receiving {
  as_they_come,  ///< that which has waited longest; of several, that of the earliest step
  in_order       ///< that of the earliest step of all, and waits for it
};

/// Every processor has one port in and one port out, each of which has one message at a time. It
/// sends its messages by ascending step: it is busy with the start-up, then waits until the
/// receiver takes the message and has it. Meanwhile it receives. What it sends to itself is copied,
/// and uses no port. All begin together; `Span::begin` is when the sender comes to a message. Empty
/// messages have their start-ups.
///
/// Throws Error(argument) unless `messages` are ordered by step, with at most one of a sender in
/// each, and if they are received in order, at most one of a receiver.
[[nodiscard]] std::vector<Span> send_in_order(std::span<const SizedMessage> messages,
                                              Rank processors, const LinkCost& cost,
                                              Receiving receiving);

}  // namespace shunt
