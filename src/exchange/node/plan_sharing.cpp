#include "exchange/node/plan_sharing.hpp"

#include <algorithm>
#include <utility>

#include "exchange/node/slots.hpp"

namespace shunt {

PlanSharing::PlanSharing(std::shared_ptr<YardState> yard,
                         const std::vector<std::vector<Step>>& steps, const PlanDraft& draft)
    : yard_(std::move(yard)), node_(yard_->node()) {
  // Once all are here, plans that went before have left the memory of all.
  (void)yard_->announce(-1);
  choose(draft);
  describe(draft);
  look_around(steps, draft);
}

PlanSharing::~PlanSharing() {
  for (Word* taken : taken_) taken->store(kTakenForever, std::memory_order_release);
  if (own_) node_.retire(*own_, messages_.size(), std::move(receivers_));
}

void PlanSharing::choose(const PlanDraft& draft) {
  for (const StageDraft& stage : draft.stages) {
    messages_.emplace_back(stage.outgoing.size(), SharedMessage{-1, 0, 0});
  }
  if (draft.stages.size() == 1 && choose_pipes(draft.stages.front())) return;
  choose_short(draft);
}

bool PlanSharing::is_candidate(const Outgoing& message) const {
  return message.payload > 0 && message.to != yard_->rank() &&
         node_.place_of(message.to).has_value();
}

bool PlanSharing::choose_pipes(const StageDraft& stage) {
  std::vector<Bytes> lengths;
  for (const Outgoing& message : stage.outgoing) {
    if (is_candidate(message)) lengths.push_back(message.payload);
  }
  if (lengths.empty()) return true;
  Slots slots(std::min(node_.largest_half(1), Slots::kBlocksRoom), lengths);
  if (!slots.fit()) return false;
  for (std::size_t k = 0; k < stage.outgoing.size(); ++k) {
    const Outgoing& message = stage.outgoing[k];
    if (is_candidate(message)) messages_.front()[k] = slots.next(message.payload);
  }
  half_ = slots.used();
  payload_ = slots.payload();
  return true;
}

void PlanSharing::choose_short(const PlanDraft& draft) {
  const Bytes room = node_.largest_half(draft.stages.size());
  for (std::size_t stage = 0; stage < messages_.size(); ++stage) {
    for (std::size_t k = 0; k < messages_[stage].size(); ++k) {
      const Outgoing& message = draft.stages[stage].outgoing[k];
      if (!is_candidate(message) || message.payload > kLongestWhole ||
          half_ + message.payload > room) {
        continue;
      }
      messages_[stage][k] = {half_, message.payload, 0};
      half_ += message.payload;
    }
  }
  payload_ = half_;
}

void PlanSharing::describe(const PlanDraft& draft) {
  if (half_ > 0) own_ = node_.make_region(draft.stages.size(), half_);
  for (std::size_t stage = 0; stage < messages_.size(); ++stage) {
    for (std::size_t k = 0; k < messages_[stage].size(); ++k) {
      if (messages_[stage][k].offset < 0) continue;
      const std::size_t receiver = node_.place_of(draft.stages[stage].outgoing[k].to).value();
      own_->region.letter(stage, receiver).message = messages_[stage][k];
      receivers_.push_back(receiver);
      if (is_piped(stage, k)) pipes_out_.push_back({k, receiver});
    }
  }
  std::ranges::sort(receivers_);
  receivers_.erase(std::ranges::unique(receivers_).begin(), receivers_.end());
}

void PlanSharing::look_around(const std::vector<std::vector<Step>>& steps, const PlanDraft& draft) {
  const std::vector<Bytes> regions = yard_->announce(own_ ? own_->offset : -1);
  arrivals_.resize(draft.stages.size());
  for (std::size_t stage = 0; stage < draft.stages.size(); ++stage) {
    const StageDraft& drafted = draft.stages[stage];
    for (std::size_t step = 0; step < steps[stage].size(); ++step) {
      const Rank from = steps[stage][step].from;
      if (from == kNoRank || from == yard_->rank()) continue;
      const std::optional<std::size_t> place = node_.place_of(from);
      if (!place || regions[*place] < 0) continue;
      const Region region = node_.region_at(*place, regions[*place], draft.stages.size());
      const SharedMessage& message = region.letter(stage, node_.place()).message;
      if (message.offset < 0) continue;
      const auto sender = std::ranges::lower_bound(drafted.senders, from);
      const bool known = sender != drafted.senders.end() && *sender == from;
      const auto index = static_cast<std::size_t>(sender - drafted.senders.begin());
      arrivals_[stage].push_back({{region.data() + message.offset, region.half()},
                                  message.ring,
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
  const SharedMessage& message = messages_[stage][index];
  if (message.offset < 0 || message.ring > 0) return std::nullopt;
  return Place{own_->region.data() + message.offset, own_->region.half()};
}

void PlanSharing::send_by(std::size_t index, MovePiece move) {
  std::ranges::find(pipes_out_, index, &PipeOut::index)->move = std::move(move);
}

bool PlanSharing::has_room() const {
  return std::ranges::all_of(receivers_, [this](std::size_t receiver) {
    const std::uint64_t taken = own_->region.taken(receiver).load(std::memory_order_acquire);
    return taken == kTakenForever || taken + 2 >= execution_;
  });
}

void PlanSharing::begin_stage(std::size_t stage) {
  for (const PipeOut& out : pipes_out_) {
    const SharedMessage& message = messages_[stage][out.index];
    const Place place{own_->region.data() + message.offset, own_->region.half()};
    const Pipe pipe = pipe_of(place, message.ring);
    pipe.clear();
    pipes_.send(pipe, out.move, message.length, own_->region.taken(out.receiver), execution_);
  }
  if (own_) own_->region.ready(stage).store(execution_, std::memory_order_release);
  (void)move_pipes();
  pending_.clear();
  for (const Arrival& arrival : arrivals_[stage]) pending_.push_back(&arrival);
}

bool PlanSharing::advance(const std::function<void(std::size_t)>& handle) {
  const std::size_t missing = pending_.size();
  std::erase_if(pending_, [&](const Arrival* arrival) {
    if (arrival->ready->load(std::memory_order_acquire) < execution_) return false;
    if (arrival->length != arrival->expected) {
      disagreement_ = wrong_length(arrival->from, arrival->expected);
    } else if (arrival->ring > 0) {
      pipes_.receive(pipe_of(arrival->place, arrival->ring), arrival->landing, arrival->length,
                     arrival->step);
    } else {
      handle(arrival->step);
    }
    return true;
  });
  moved_ = move_pipes() || pending_.size() < missing;
  return pending_.empty() && pipes_.empty();
}

void PlanSharing::finish() {
  for (Word* taken : taken_) taken->store(execution_, std::memory_order_release);
}

void PlanSharing::expect_agreement() {
  if (!disagreement_) return;
  const Error error = *disagreement_;
  disagreement_.reset();
  throw error;
}

}  // namespace shunt
