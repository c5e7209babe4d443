#include <algorithm>

#include "lab/simulation/stage_times.hpp"

namespace shunt {

namespace {

class Steps {
 public:
  Steps(const StageMessages& stage, const LinkCost& cost, const NodePorts* nodes)
      : stage_(stage), cost_(cost), nodes_(nodes) {
    times_.messages.resize(stage.messages.size());
    times_.done.assign(static_cast<std::size_t>(stage.classes.count()), 0);
    if (nodes != nullptr) free_.assign(static_cast<std::size_t>(nodes->nodes.nodes()), 0);
  }

  StageTimes run() {
    const auto messages = stage_.messages;
    for (std::size_t begin = 0; begin < messages.size();) {
      std::size_t end = begin;
      while (end < messages.size() && messages[end].step == messages[begin].step) ++end;
      take_step(begin, end);
      begin = end;
    }
    return std::move(times_);
  }

 private:
  /// All messages of a step begin before any of them ends it for its ranks.
  void take_step(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!crosses(stage_.messages[i])) continue;
      await_turn(stage_.messages[i].from);
      await_turn(stage_.messages[i].to);
    }
    for (std::size_t i = begin; i < end; ++i) times_.messages[i] = span_of(stage_.messages[i]);
    for (std::size_t i = begin; i < end; ++i) {
      const StageMessage& message = stage_.messages[i];
      const double over = times_.messages[i].end;
      for (const Rank rank : {message.from, message.to}) {
        done(rank) = std::max(done(rank), over);
        if (crosses(message)) free(rank) = std::max(free(rank), over);
      }
    }
  }

  [[nodiscard]] Span span_of(const StageMessage& message) {
    const double begin = done(message.from);
    if (message.from == message.to) return {begin, begin};
    const bool inside = nodes_ != nullptr && !crosses(message);
    const double start_up = inside ? nodes_->inside_start_up : cost_.start_up;
    const double per_byte = inside ? nodes_->inside_per_byte : cost_.per_byte;
    const double under_way = std::max(begin + start_up, done(message.to));
    return {begin, under_way + static_cast<double>(message.bytes) * per_byte};
  }

  [[nodiscard]] bool crosses(const StageMessage& message) const {
    return nodes_ != nullptr &&
           nodes_->nodes.node_of(message.from) != nodes_->nodes.node_of(message.to);
  }

  void await_turn(Rank rank) { done(rank) = std::max(done(rank), free(rank)); }

  double& done(Rank rank) {
    return times_.done[static_cast<std::size_t>(stage_.classes.class_of(rank))];
  }
  /// When the node of `rank` is through with its last exchange with another node.
  double& free(Rank rank) { return free_[static_cast<std::size_t>(nodes_->nodes.node_of(rank))]; }

  const StageMessages& stage_;
  LinkCost cost_;
  const NodePorts* nodes_;
  std::vector<double> free_;
  StageTimes times_;
};

}  // namespace

StageTimes step_by_step(const StageMessages& stage, const LinkCost& cost) {
  return Steps(stage, cost, nullptr).run();
}

StageTimes step_by_step_in_turns(const StageMessages& stage, const LinkCost& cost,
                                 const NodePorts& nodes) {
  return Steps(stage, cost, &nodes).run();
}

}  // namespace shunt
