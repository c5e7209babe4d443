#include "engine/node_stages.hpp"

#include <algorithm>

namespace shunt {

NodeStages::NodeStages(Context& context, const Options& options, int stages)
    : context_(context),
      options_(options),
      channel_(shares_messages(options, context.node()) ? context.call_channel() : nullptr) {
  if (channel_ == nullptr) return;
  next_ = channel_->draw_numbers(stages);
  last_ = next_ + static_cast<std::uint64_t>(stages) - 1;
}

NodeStages::~NodeStages() {
  if (channel_ != nullptr && (!ended_ || next_ <= last_)) channel_->give_up(last_);
}

void NodeStages::begin_stage() {
  if (channel_ == nullptr) return;
  channel_->begin(next_++);
  ended_ = false;
  context_.progress.advance_to_end([&](bool wait) {
    if (channel_->has_room()) return true;
    if (wait) context_.progress.poll();
    return false;
  });
  channel_->publish();
}

void NodeStages::run_stage(StageRunner& runner, SharedInbox& inbox) {
  context_.progress.advance_to_end([&](bool wait) {
    const bool all_shared = channel_ == nullptr || channel_->advance(inbox);
    const bool all_through = runner.advance(wait && all_shared);
    if (wait && !all_shared && !channel_->moved()) context_.progress.poll();
    return all_shared && all_through;
  });
  if (channel_ != nullptr) {
    peak_ = std::max(peak_, channel_->payload());
    channel_->finish();
    ended_ = true;
  }
  if (inbox.fault) throw *inbox.fault;
}

}  // namespace shunt
