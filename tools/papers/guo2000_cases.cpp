#include <algorithm>

#include <fmt/format.h>

#include "lab/schedules/guo_schedule.hpp"
#include "schedule/redistribution_axis.hpp"
#include "tools/papers/guo2000.hpp"

namespace shunt::guo2000 {

namespace {

constexpr Index kElements = 120000;
constexpr Bytes kElement = 4;
constexpr Index kBlock = 2;  ///< of the receivers

double last_of(const std::vector<Span>& spans) {
  double last = 0;
  for (const Span& span : spans) last = std::max(last, span.end);
  return last;
}

/// So that both sides' loops take their messages by ascending step.
int step_of(SendOrder order, Rank sender, Rank receiver, Rank places) {
  if (order == SendOrder::staggered) return (receiver - sender + places) % places;
  return sender * places + receiver;
}

}  // namespace

std::vector<SizedMessage> messages_of(Index beta, Rank places, SendOrder order) {
  const RedistributionAxis axis{
      {kElements, beta * kBlock, places}, {kElements, kBlock, places}, kElements};
  const GuoSchedule schedule(places, places, beta);
  std::vector<SizedMessage> messages;
  for (Rank sender = 0; sender < places; ++sender) {
    const auto add = [&](int step, Rank receiver) {
      messages.push_back(
          {step, sender, receiver, kElement * axis.overlap(sender, receiver).count()});
    };
    if (order == SendOrder::to_all) {
      for (Rank receiver = 0; receiver < places; ++receiver) {
        add(step_of(order, sender, receiver, places), receiver);
      }
      continue;
    }
    for (Rank step = 1; step <= schedule.step_count(); ++step) {
      const Rank receiver = schedule.receiver(sender, step);
      add(order == SendOrder::scheduled ? step : step_of(order, sender, receiver, places),
          receiver);
    }
  }
  std::ranges::stable_sort(messages, {}, &SizedMessage::step);
  return messages;
}

double seconds_of(Index beta, Rank places, const Sending& sending, const LinkCost& cost) {
  return last_of(
      send_in_order(messages_of(beta, places, sending.order), places, cost, sending.receiving));
}

Panel panel_of(Index beta, const std::vector<Rank>& places, const LinkCost& cost) {
  Panel panel{fmt::format("CYCLIC({})", beta * kBlock), {}};
  for (const Sending& sending : kSendings) {
    Curve curve{sending.name, {}};
    for (const Rank count : places) {
      curve.points.push_back({static_cast<double>(count), seconds_of(beta, count, sending, cost)});
    }
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

double seconds_to_one(Rank senders, Bytes bytes) {
  std::vector<SizedMessage> messages;
  for (Rank sender = 1; sender <= senders; ++sender) messages.push_back({1, sender, 0, bytes});
  return last_of(send_in_order(messages, senders + 1, kT3d, Receiving::as_they_come));
}

}  // namespace shunt::guo2000
