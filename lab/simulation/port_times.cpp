#include <algorithm>
#include <queue>
#include <tuple>

#include "lab/simulation/stage_times.hpp"

namespace shunt {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// What a rank does in one step: the numbers of its messages.
struct RankStep {
  int number = 0;
  std::size_t out = kNone;
  std::size_t in = kNone;
};

struct RankState {
  std::vector<RankStep> steps;
  std::size_t next = 0;
  int awaited = 0;  ///< messages of the current step that are not over
};

struct Node {
  bool sends = false;
  bool receives = false;
  std::vector<std::size_t> waiting;  ///< messages that want one of its ports
};

/// A message gets ready, or ends.
struct Event {
  double time;
  bool ready;
  std::size_t message;

  friend bool operator>(const Event& a, const Event& b) { return a.time > b.time; }
};

class Ports {
 public:
  Ports(const StageMessages& stage, const LinkCost& cost, const NodePorts& machine)
      : stage_(stage),
        cost_(cost),
        machine_(machine),
        ranks_(static_cast<std::size_t>(stage.classes.ranks())),
        nodes_(static_cast<std::size_t>(machine.nodes.nodes())),
        begun_by_(stage.messages.size(), 0) {
    times_.messages.resize(stage.messages.size());
    times_.done.assign(ranks_.size(), 0);
    for (std::size_t i = 0; i < stage.messages.size(); ++i) {
      const StageMessage& message = stage.messages[i];
      if (message.from == message.to) continue;
      step_of(message.from, message.step).out = i;
      step_of(message.to, message.step).in = i;
    }
  }

  StageTimes run() {
    for (Rank rank = 0; rank < stage_.classes.ranks(); ++rank) begin_step(rank, 0);
    while (!events_.empty()) {
      const double now = events_.top().time;
      // All that happens now comes first, so that ports that get free at once are given away
      // together.
      while (!events_.empty() && events_.top().time == now) {
        const Event event = events_.top();
        events_.pop();
        event.ready ? get_ready(event.message, now) : end(event.message, now);
      }
      start_waiting(now);
    }
    return std::move(times_);
  }

 private:
  RankState& state(Rank rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  Node& node(Rank rank) { return nodes_[static_cast<std::size_t>(machine_.nodes.node_of(rank))]; }
  [[nodiscard]] const StageMessage& message(std::size_t number) const {
    return stage_.messages[number];
  }
  [[nodiscard]] bool inside(std::size_t number) const {
    return machine_.nodes.node_of(message(number).from) ==
           machine_.nodes.node_of(message(number).to);
  }

  RankStep& step_of(Rank rank, int number) {
    std::vector<RankStep>& steps = state(rank).steps;
    if (steps.empty() || steps.back().number != number) steps.push_back({number});
    return steps.back();
  }

  void begin_step(Rank rank, double now) {
    RankState& own = state(rank);
    times_.done[static_cast<std::size_t>(rank)] = now;
    if (own.next == own.steps.size()) return;
    const RankStep& step = own.steps[own.next];
    if (step.in != kNone) begin_side(step.in, now);
    if (step.out != kNone) {
      times_.messages[step.out].begin = now;
      begin_side(step.out, now + (inside(step.out) ? machine_.inside_start_up : cost_.start_up));
    }
    own.awaited = (step.in != kNone ? 1 : 0) + (step.out != kNone ? 1 : 0);
  }

  /// One of its two ranks is ready for the message at `time`, which may be later than now. Its
  /// `end` is when both are, until it is under way.
  void begin_side(std::size_t number, double time) {
    double& ready = times_.messages[number].end;
    ready = std::max(ready, time);
    if (++begun_by_[number] == 2) events_.push({ready, true, number});
  }

  void get_ready(std::size_t number, double now) {
    if (inside(number)) {
      start(number, now, machine_.inside_per_byte);
      return;
    }
    for (const Rank rank : {message(number).from, message(number).to}) {
      node(rank).waiting.push_back(number);
      touched_.push_back(machine_.nodes.node_of(rank));
    }
  }

  void start(std::size_t number, double now, double per_byte) {
    events_.push({now + static_cast<double>(message(number).bytes) * per_byte, false, number});
  }

  void end(std::size_t number, double now) {
    times_.messages[number].end = now;
    const Rank from = message(number).from;
    const Rank to = message(number).to;
    if (!inside(number)) {
      node(from).sends = false;
      node(to).receives = false;
      for (const Rank rank : {from, to}) touched_.push_back(machine_.nodes.node_of(rank));
    }
    for (const Rank rank : {from, to}) {
      RankState& own = state(rank);
      if (--own.awaited > 0) continue;
      ++own.next;
      begin_step(rank, now);
    }
  }

  /// Gives the ports of the touched nodes to the messages that wait for them, in the order in which
  /// they got ready.
  void start_waiting(double now) {
    candidates_.clear();
    for (const Rank node : touched_) {
      const std::vector<std::size_t>& waiting = nodes_[static_cast<std::size_t>(node)].waiting;
      candidates_.insert(candidates_.end(), waiting.begin(), waiting.end());
    }
    touched_.clear();
    std::ranges::sort(candidates_, [&](std::size_t a, std::size_t b) {
      return std::tie(times_.messages[a].end, a) < std::tie(times_.messages[b].end, b);
    });
    candidates_.erase(std::ranges::unique(candidates_).begin(), candidates_.end());
    for (const std::size_t number : candidates_) {
      Node& from = node(message(number).from);
      Node& to = node(message(number).to);
      if (from.sends || to.receives) continue;
      from.sends = true;
      to.receives = true;
      std::erase(from.waiting, number);
      std::erase(to.waiting, number);
      start(number, now, cost_.per_byte);
    }
  }

  const StageMessages& stage_;
  LinkCost cost_;
  const NodePorts& machine_;
  std::vector<RankState> ranks_;
  std::vector<Node> nodes_;
  std::vector<int> begun_by_;  ///< by message: how many of its two ranks
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<Rank> touched_;  ///< nodes of which a port got free, or has one more to wait for it
  std::vector<std::size_t> candidates_;
  StageTimes times_;
};

}  // namespace

StageTimes step_by_step_on_ports(const StageMessages& stage, const LinkCost& cost,
                                 const NodePorts& nodes) {
  return Ports(stage, cost, nodes).run();
}

}  // namespace shunt
