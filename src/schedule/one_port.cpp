#include "schedule/one_port.hpp"

#include <algorithm>

namespace shunt {

std::vector<std::span<const SizedMessage>> by_step(std::span<const SizedMessage> messages) {
  std::vector<std::span<const SizedMessage>> steps;
  while (!messages.empty()) {
    const int step = messages.front().step;
    const auto next = std::ranges::upper_bound(messages, step, {}, &SizedMessage::step);
    const auto size = static_cast<std::size_t>(next - messages.begin());
    steps.push_back(messages.first(size));
    messages = messages.subspan(size);
  }
  return steps;
}

void OnePortClock::pass(std::span<const SizedMessage> messages) {
  for (const auto& step : by_step(messages)) {
    ends_.clear();
    for (const SizedMessage& message : step) {
      ends_.push_back(std::max(done(message.from), done(message.to)) + cost_.start_up +
                      static_cast<double>(message.bytes) * cost_.per_byte);
    }
    for (std::size_t i = 0; i < step.size(); ++i) {
      done(step[i].from) = std::max(done(step[i].from), ends_[i]);
      done(step[i].to) = std::max(done(step[i].to), ends_[i]);
    }
  }
}

double OnePortClock::latest() const { return done_.empty() ? 0 : std::ranges::max(done_); }

}  // namespace shunt
