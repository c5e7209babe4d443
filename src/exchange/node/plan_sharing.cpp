#include "exchange/node/plan_sharing.hpp"

#include <algorithm>

#include "exchange/mpi_call.hpp"

namespace shunt {

PlanSharing::PlanSharing(std::shared_ptr<YardState> yard, const Schedule& schedule,
                         const PlanDraft& draft)
    : yard_(std::move(yard)), node_(yard_->node()) {
  choose(draft);
  describe(draft);
  look_around(schedule, draft);
}

PlanSharing::~PlanSharing() {
  for (Word* taken : taken_) taken->store(kTakenForever, std::memory_order_release);
  if (own_) node_.retire(*own_, offsets_.size(), std::move(receivers_));
}

void PlanSharing::choose(const PlanDraft& draft) {
  const Bytes room = node_.largest_half(draft.stages.size());
  for (const StageDraft& stage : draft.stages) {
    offsets_.emplace_back();
    for (const Outgoing& message : stage.outgoing) {
      const bool short_one = message.payload > 0 && message.payload <= kLongestShared;
      const bool shared = short_one && message.to != yard_->rank() &&
                          packed_ + message.payload <= room &&
                          node_.place_of(message.to).has_value();
      offsets_.back().push_back(shared ? packed_ : -1);
      if (shared) packed_ += message.payload;
    }
  }
}

void PlanSharing::describe(const PlanDraft& draft) {
  if (packed_ > 0) own_ = node_.make_region(draft.stages.size(), packed_);
  for (std::size_t stage = 0; stage < offsets_.size(); ++stage) {
    for (std::size_t k = 0; k < offsets_[stage].size(); ++k) {
      if (offsets_[stage][k] < 0) continue;
      const Outgoing& message = draft.stages[stage].outgoing[k];
      const std::size_t receiver = node_.place_of(message.to).value();
      own_->region.message(stage, receiver) = {offsets_[stage][k], message.payload};
      receivers_.push_back(receiver);
    }
  }
  std::ranges::sort(receivers_);
  receivers_.erase(std::ranges::unique(receivers_).begin(), receivers_.end());
}

void PlanSharing::look_around(const Schedule& schedule, const PlanDraft& draft) {
  const std::uint64_t number = yard_->next_announcement();
  node_.announce(number, own_ ? own_->offset : -1);
  std::vector<Bytes> regions;  // by place
  yard_->advance_to_end([&](bool wait) {
    while (regions.size() < node_.ranks().size()) {
      const std::optional<Bytes> offset = node_.announced(regions.size(), number);
      if (!offset) {
        if (wait) yard_->relax();
        return false;
      }
      regions.push_back(*offset);
    }
    return true;
  });
  arrivals_.resize(draft.stages.size());
  for (std::size_t stage = 0; stage < draft.stages.size(); ++stage) {
    const StageDraft& drafted = draft.stages[stage];
    for (std::size_t step = 0; step < schedule.steps[stage].size(); ++step) {
      const Rank from = schedule.steps[stage][step].from;
      if (from == kNoRank || from == yard_->rank()) continue;
      const std::optional<std::size_t> place = node_.place_of(from);
      if (!place || regions[*place] < 0) continue;
      const Region region = node_.region_at(*place, regions[*place], draft.stages.size());
      const SharedMessage& message = region.message(stage, node_.place());
      if (message.offset < 0) continue;
      const auto sender = std::ranges::lower_bound(drafted.senders, from);
      const bool known = sender != drafted.senders.end() && *sender == from;
      const auto index = static_cast<std::size_t>(sender - drafted.senders.begin());
      arrivals_[stage].push_back({{region.data() + message.offset, region.half()},
                                  &region.ready(stage),
                                  step,
                                  from,
                                  message.length,
                                  known ? drafted.received[index] : 0});
      taken_.push_back(&region.taken(node_.place()));
    }
  }
  std::ranges::sort(taken_);
  taken_.erase(std::ranges::unique(taken_).begin(), taken_.end());
}

std::optional<PlanSharing::Place> PlanSharing::packed_at(std::size_t stage,
                                                         std::size_t index) const {
  const Bytes offset = offsets_[stage][index];
  if (offset < 0) return std::nullopt;
  return Place{own_->region.data() + offset, own_->region.half()};
}

bool PlanSharing::has_room() const {
  return std::ranges::all_of(receivers_, [this](std::size_t receiver) {
    const std::uint64_t taken = own_->region.taken(receiver).load(std::memory_order_acquire);
    return taken == kTakenForever || taken + 2 >= execution_;
  });
}

void PlanSharing::begin_stage(std::size_t stage) {
  if (own_) own_->region.ready(stage).store(execution_, std::memory_order_release);
  pending_.clear();
  for (const Arrival& arrival : arrivals_[stage]) pending_.push_back(&arrival);
}

void PlanSharing::finish() const {
  for (Word* taken : taken_) taken->store(execution_, std::memory_order_release);
}

void PlanSharing::expect_length(const Arrival& arrival) {
  if (arrival.length == arrival.expected) return;
  throw wrong_length(arrival.from, arrival.expected);
}

}  // namespace shunt
