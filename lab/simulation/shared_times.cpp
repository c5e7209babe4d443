// Messages that are posted at once share the ports of their nodes.
#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <queue>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "lab/simulation/stage_times.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Of what a message has to do, so that the rounding of sums leaves none of it.
constexpr double kRounding = 1e-12;

/// There is a lane for every two nodes: of 48 bytes, 192 MiB for so many.
constexpr Rank kMostNodes = 2048;

/// A message gets under way.
struct Start {
  double time;
  std::size_t message;
};

/// A message is over when its lane has come so far.
struct Mark {
  double at;
  std::size_t message;

  friend bool operator>(const Mark& a, const Mark& b) { return a.at > b.at; }
};

/// Ports and memories have 1 to give. A lane is all messages from one node to another, or inside
/// one. They get equal shares, so they get on alike: a lane `comes` as far, in seconds that a
/// message takes alone, as one of its messages that was there all the time.
class SharedPorts {
 public:
  SharedPorts(const StageMessages& stage, const LinkCost& cost, const NodePorts& machine)
      : stage_(stage),
        cost_(cost),
        machine_(machine),
        nodes_(static_cast<std::size_t>(machine.nodes.nodes())),
        under_way_(nodes_ * nodes_),
        come_(nodes_ * nodes_, 0),
        share_(nodes_ * nodes_, 0),
        left_(2 * nodes_),
        load_(2 * nodes_) {
    times_.messages.resize(stage.messages.size());
    times_.done.assign(static_cast<std::size_t>(stage.classes.ranks()), 0);
    post();
  }

  StageTimes run() {
    double now = 0;
    auto next = starts_.begin();
    while (next != starts_.end() || !busy_.empty()) {
      const double to_start = next == starts_.end() ? kNever : next->time - now;
      const double to_end = soonest_end();
      come_on(std::min(to_start, to_end));
      now = to_start <= to_end ? next->time : now + to_end;
      end_messages(now);
      for (; next != starts_.end() && next->time <= now; ++next) begin(next->message, now);
      give_shares();
    }
    return std::move(times_);
  }

 private:
  [[nodiscard]] std::size_t node_of(Rank rank) const {
    return static_cast<std::size_t>(machine_.nodes.node_of(rank));
  }

  [[nodiscard]] std::size_t lane_of(const StageMessage& message) const {
    return node_of(message.from) * nodes_ + node_of(message.to);
  }

  [[nodiscard]] bool is_inside(std::size_t lane) const { return lane / nodes_ == lane % nodes_; }

  /// Out of one node and into another.
  [[nodiscard]] std::array<std::size_t, 2> ports_of(std::size_t lane) const {
    return {lane / nodes_, nodes_ + lane % nodes_};
  }

  /// All start-ups, of every rank one after the other.
  void post() {
    std::vector<double> busy_until(times_.done.size(), 0);
    for (std::size_t i = 0; i < stage_.messages.size(); ++i) {
      const StageMessage& message = stage_.messages[i];
      if (message.from == message.to) continue;
      double& time = busy_until[static_cast<std::size_t>(message.from)];
      times_.messages[i].begin = time;
      time += is_inside(lane_of(message)) ? machine_.inside_start_up : cost_.start_up;
      starts_.push_back({time, i});
    }
    std::ranges::sort(starts_, {},
                      [](const Start& start) { return std::tuple(start.time, start.message); });
  }

  [[nodiscard]] double soonest_end() const {
    double soonest = kNever;
    for (const std::size_t lane : busy_) {
      soonest = std::min(soonest, (under_way_[lane].top().at - come_[lane]) / share_[lane]);
    }
    return std::max(soonest, 0.0);
  }

  void come_on(double seconds) {
    for (const std::size_t lane : busy_) come_[lane] += share_[lane] * seconds;
  }

  void begin(std::size_t number, double now) {
    const StageMessage& message = stage_.messages[number];
    if (message.bytes == 0) {
      end(number, now);
      return;
    }
    const std::size_t lane = lane_of(message);
    if (under_way_[lane].empty()) busy_.push_back(lane);
    const double alone = is_inside(lane) ? machine_.inside_per_byte : cost_.per_byte;
    under_way_[lane].push({come_[lane] + static_cast<double>(message.bytes) * alone, number});
  }

  void end(std::size_t number, double now) {
    times_.messages[number].end = now;
    for (const Rank rank : {stage_.messages[number].from, stage_.messages[number].to}) {
      times_.done[static_cast<std::size_t>(rank)] = now;
    }
  }

  void end_messages(double now) {
    std::erase_if(busy_, [&](std::size_t lane) {
      auto& under_way = under_way_[lane];
      while (!under_way.empty() && under_way.top().at * (1 - kRounding) <= come_[lane]) {
        end(under_way.top().message, now);
        under_way.pop();
      }
      return under_way.empty();
    });
  }

  /// The port that has least for each of its messages gives it to them; what these leave of other
  /// ports is for the others.
  void give_shares() {
    std::ranges::fill(left_, 1.0);
    std::ranges::fill(load_, std::size_t{0});
    for (const std::size_t lane : busy_) {
      const std::size_t messages = under_way_[lane].size();
      share_[lane] = is_inside(lane) ? 1 / static_cast<double>(messages) : 0;
      if (is_inside(lane)) continue;
      for (const std::size_t port : ports_of(lane)) load_[port] += messages;
    }
    double share = 0;
    for (;;) {
      const std::size_t port = scarcest_port();
      if (load_[port] == 0) return;
      // No later one gets less, but for rounding.
      share = std::max(share, left_[port] / static_cast<double>(load_[port]));
      give_share(port, share);
    }
  }

  /// One without messages, where all have their shares.
  [[nodiscard]] std::size_t scarcest_port() const {
    std::size_t scarcest = 0;
    for (std::size_t port = 0; port < load_.size(); ++port) {
      if (load_[port] == 0) continue;
      // left / load, without a division.
      if (load_[scarcest] == 0 || left_[port] * static_cast<double>(load_[scarcest]) <
                                      left_[scarcest] * static_cast<double>(load_[port])) {
        scarcest = port;
      }
    }
    return scarcest;
  }

  void give_share(std::size_t port, double share) {
    const std::size_t node = port % nodes_;
    for (std::size_t other = 0; other < nodes_; ++other) {
      give_share_to(port < nodes_ ? node * nodes_ + other : other * nodes_ + node, share);
    }
  }

  void give_share_to(std::size_t lane, double share) {
    const std::size_t messages = under_way_[lane].size();
    if (messages == 0 || share_[lane] > 0) return;
    share_[lane] = share;
    for (const std::size_t port : ports_of(lane)) {
      left_[port] -= share * static_cast<double>(messages);
      load_[port] -= messages;
    }
  }

  const StageMessages& stage_;
  LinkCost cost_;
  const NodePorts& machine_;
  std::size_t nodes_;
  std::vector<Start> starts_;
  std::vector<std::priority_queue<Mark, std::vector<Mark>, std::greater<>>>
      under_way_;                  ///< by lane
  std::vector<double> come_;       ///< by lane
  std::vector<double> share_;      ///< by lane: of its ports, for each of its messages
  std::vector<std::size_t> busy_;  ///< lanes that have messages
  std::vector<double> left_;       ///< by port: of all out, then of all in
  std::vector<std::size_t> load_;  ///< by port: messages that have no share yet
  StageTimes times_;
};

}  // namespace

StageTimes all_at_once(const StageMessages& stage, const LinkCost& cost, const NodePorts& nodes) {
  if (nodes.nodes.nodes() > kMostNodes) {
    throw Error(ErrorKind::argument,
                fmt::format("the machine has {} nodes, but messages that are posted at once can be "
                            "followed on at most {}",
                            nodes.nodes.nodes(), kMostNodes));
  }
  return SharedPorts(stage, cost, nodes).run();
}

}  // namespace shunt
