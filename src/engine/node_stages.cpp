#include "engine/node_stages.hpp"

#include <algorithm>

namespace shunt {

NodeStages::NodeStages(Context& context, const Options& options, int stages)
    : context_(context),
      options_(options),
      sharing_(shares_messages(options, context.node()) ? context.kept_sharing() : nullptr) {
  if (sharing_ == nullptr) return;
  next_ = sharing_->draw_numbers(stages);
  last_ = next_ + static_cast<std::uint64_t>(stages) - 1;
}

NodeStages::~NodeStages() {
  if (sharing_ != nullptr && (!ended_ || next_ <= last_)) sharing_->give_up(last_);
}

void NodeStages::begin_stage() {
  if (sharing_ == nullptr) return;
  sharing_->begin(next_++);
  ended_ = false;
  context_.progress.advance_to_end([&](bool wait) {
    if (sharing_->has_room()) return true;
    if (wait) context_.progress.relax();
    return false;
  });
  sharing_->publish();
}

void NodeStages::run_stage(StageRunner& runner, SharedInbox& inbox) {
  context_.progress.advance_to_end([&](bool wait) {
    const bool all_shared = sharing_ == nullptr || sharing_->advance(inbox);
    const bool all_through = runner.advance(wait && all_shared);
    if (wait && !all_shared && !sharing_->moved()) context_.progress.relax();
    return all_shared && all_through;
  });
  if (sharing_ != nullptr) {
    peak_ = std::max(peak_, sharing_->payload());
    sharing_->finish();
    ended_ = true;
  }
  if (inbox.fault) throw *inbox.fault;
}

}  // namespace shunt
