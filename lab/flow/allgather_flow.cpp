#include "lab/flow/allgather_flow.hpp"

#include <algorithm>
#include <span>

namespace shunt {

namespace {

/// What a rank does in one iteration.
struct Activity {
  int messages = 0;
  Bytes sent = 0;
  Bytes received = 0;
};

class Metrics {
 public:
  explicit Metrics(Rank ranks)
      : activity_(index_of(ranks)), messages_(index_of(ranks), 0), bytes_(index_of(ranks), 0) {}

  void add(std::span<const SizedMessage> iteration) {
    for (const SizedMessage& message : iteration) {
      Activity& sender = activity_[index_of(message.from)];
      ++sender.messages;
      sender.sent += message.bytes;
      Activity& receiver = activity_[index_of(message.to)];
      ++receiver.messages;
      receiver.received += message.bytes;
    }
    for (std::size_t rank = 0; rank < activity_.size(); ++rank) {
      Activity& now = activity_[rank];
      congestion_ = std::max(congestion_, now.messages);
      if (now.messages > 0) ++active_;
      messages_[rank] += now.messages;
      bytes_[rank] += std::max(now.sent, now.received);
      now = {};
    }
  }

  [[nodiscard]] AllgatherMetrics over(int iterations, int wait) const {
    AllgatherMetrics metrics{congestion_, wait, std::ranges::max(messages_), 0, 0};
    if (iterations == 0) return metrics;
    metrics.average_length = static_cast<double>(std::ranges::max(bytes_)) / iterations;
    metrics.average_active = static_cast<double>(active_) / iterations;
    return metrics;
  }

 private:
  std::vector<Activity> activity_;  ///< by rank
  std::vector<int> messages_;
  std::vector<Bytes> bytes_;
  int congestion_ = 0;
  Bytes active_ = 0;  ///< ranks, over all iterations
};

/// The most times that a rank sends in a stage after it has received in an earlier one, since it
/// sent before.
int most_waits(const AllgatherFlow& flow, Rank ranks) {
  std::vector<int> waits(index_of(ranks), 0);
  std::vector<bool> has_received(index_of(ranks), false);
  for (const auto& messages : flow) {
    for (const SizedMessage& message : messages) {
      if (has_received[index_of(message.from)]) ++waits[index_of(message.from)];
      has_received[index_of(message.from)] = false;
    }
    for (const SizedMessage& message : messages) has_received[index_of(message.to)] = true;
  }
  return std::ranges::max(waits);
}

}  // namespace

AllgatherFlow follow_allgather(const Allgather& allgather, const ShareWatch& watch) {
  AllgatherFlow flow;
  std::vector<Share> shares;
  for (int stage = 0; stage < allgather.stages(); ++stage) {
    auto& messages = flow.emplace_back();
    for (Rank rank = 0; rank < allgather.ranks(); ++rank) {
      for (const Step& step : allgather.steps(stage, rank)) {
        if (step.to == kNoRank) continue;
        shares.clear();
        allgather.shares(stage, rank, step.to, shares);
        Bytes bytes = 0;
        for (const Share& share : shares) bytes += share.end - share.begin;
        messages.push_back({step.number, rank, step.to, bytes});
        if (watch) watch(stage, step.to, shares);
      }
    }
    std::ranges::stable_sort(messages, {}, &SizedMessage::step);
  }
  return flow;
}

double seconds_of(const AllgatherFlow& flow, Rank ranks, const LinkCost& cost) {
  OnePortClock clock(ranks, cost);
  for (const auto& messages : flow) clock.pass(messages);
  return clock.latest();
}

AllgatherMetrics metrics_of(const Allgather& allgather, Iteration iteration) {
  const AllgatherFlow flow = follow_allgather(allgather);
  Metrics metrics(allgather.ranks());
  int iterations = 0;
  for (int stage = 0; stage < allgather.stages(); ++stage) {
    const auto& messages = flow[static_cast<std::size_t>(stage)];
    if (iteration == Iteration::stage) {
      metrics.add(messages);
      ++iterations;
    } else {
      for (const auto& step : by_step(messages)) metrics.add(step);
      iterations += allgather.step_count(stage);
    }
  }
  return metrics.over(iterations, most_waits(flow, allgather.ranks()));
}

}  // namespace shunt
