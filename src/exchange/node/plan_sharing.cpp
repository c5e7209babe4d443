#include "exchange/node/plan_sharing.hpp"

#include <algorithm>
#include <utility>

#include "exchange/node/slots.hpp"

namespace shunt {

PlanSharing::PlanSharing(std::shared_ptr<YardState> yard,
                         const std::vector<std::vector<Step>>& steps, const PlanDraft& draft,
                         const Options& options)
    : yard_(std::move(yard)), node_(yard_->node()) {
  // Once all are here, plans that went before have left the memory of all.
  (void)yard_->announce(-1);
  choose(draft, options);
  make_region();
  describe(draft);
  look_around(steps, draft);
}

PlanSharing::~PlanSharing() {
  for (Word* taken : taken_) taken->store(kTakenForever, std::memory_order_release);
  if (own_) node_.retire(*own_, messages_.size(), std::move(receivers_));
}

void PlanSharing::choose(const PlanDraft& draft, const Options& options) {
  for (const StageDraft& stage : draft.stages) {
    messages_.emplace_back(stage.outgoing.size(), SharedMessage{-1, 0, 0});
  }
  if (draft.stages.size() == 1 && choose_places(draft.stages.front(), options)) return;
  choose_short(draft);
}

bool PlanSharing::is_candidate(const Outgoing& message) const {
  return message.payload > 0 && message.to != yard_->rank() &&
         node_.place_of(message.to).has_value();
}

bool PlanSharing::choose_places(const StageDraft& stage, const Options& options) {
  std::vector<Bytes> lengths;
  const auto is_lent = [&](const Outgoing& message) {
    return wants_loan(options, message.payload);
  };
  for (const Outgoing& message : stage.outgoing) {
    if (is_candidate(message)) lengths.push_back(is_lent(message) ? 0 : message.payload);
  }
  if (lengths.empty()) return true;
  Slots slots(std::min(node_.largest_half(1), Slots::kBlocksRoom), lengths);
  if (!slots.fit()) return false;
  for (std::size_t k = 0; k < stage.outgoing.size(); ++k) {
    const Outgoing& message = stage.outgoing[k];
    if (!is_candidate(message)) continue;
    messages_.front()[k] =
        is_lent(message) ? SharedMessage{0, message.payload, kOnLoan} : slots.next(message.payload);
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

void PlanSharing::make_region() {
  const auto shares = [](const SharedMessage& message) { return message.offset >= 0; };
  const bool any = std::ranges::any_of(
      messages_, [&](const auto& stage) { return std::ranges::any_of(stage, shares); });
  if (any) own_ = node_.make_region(messages_.size(), half_);
  if (own_) return;
  for (std::vector<SharedMessage>& stage : messages_) {
    std::ranges::fill(stage, SharedMessage{-1, 0, 0});
  }
  payload_ = 0;
}

void PlanSharing::describe(const PlanDraft& draft) {
  for (std::size_t stage = 0; stage < messages_.size(); ++stage) {
    for (std::size_t k = 0; k < messages_[stage].size(); ++k) {
      if (messages_[stage][k].offset < 0) continue;
      const std::size_t receiver = node_.place_of(draft.stages[stage].outgoing[k].to).value();
      own_->region.letter(stage, receiver).message = messages_[stage][k];
      receivers_.push_back(receiver);
      if (leaves_from_its_place(stage, k)) leaving_.push_back({k, receiver});
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
      const Letter& letter = region.letter(stage, node_.place());
      const SharedMessage& message = letter.message;
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
                                  known ? drafted.received[index] : 0,
                                  *place,
                                  &letter,
                                  &region.taken(node_.place())});
      taken_.push_back(&region.taken(node_.place()));
    }
  }
  std::ranges::sort(taken_);
  taken_.erase(std::ranges::unique(taken_).begin(), taken_.end());
}

std::optional<PlanSharing::Place> PlanSharing::packed_at(std::size_t stage,
                                                         std::size_t index) const {
  const SharedMessage& message = messages_[stage][index];
  if (message.offset < 0 || message.ring != 0) return std::nullopt;
  return Place{own_->region.data() + message.offset, own_->region.half()};
}

void PlanSharing::send_from(std::size_t index, const std::byte* message) {
  Leaving& leaving = *std::ranges::find(leaving_, index, &Leaving::index);
  if (messages_.front()[index].ring == kOnLoan) {
    put_lent(own_->region.letter(0, leaving.receiver), message);
  } else {
    leaving.move = move_from(message);
  }
}

bool PlanSharing::has_room() const {
  return std::ranges::all_of(receivers_, [this](std::size_t receiver) {
    const std::uint64_t taken = own_->region.taken(receiver).load(std::memory_order_acquire);
    return taken == kTakenForever || taken + 2 >= execution_;
  });
}

void PlanSharing::begin_stage(std::size_t stage) {
  for (const Leaving& leaving : leaving_) begin_to_send(leaving);
  if (own_) own_->region.ready(stage).store(execution_, std::memory_order_release);
  (void)move_long();
  pending_.clear();
  for (const Arrival& arrival : arrivals_[stage]) pending_.push_back(&arrival);
}

void PlanSharing::begin_to_send(const Leaving& leaving) {
  const SharedMessage& message = messages_.front()[leaving.index];
  Word& taken = own_->region.taken(leaving.receiver);
  if (message.ring == kOnLoan) {
    loans_.lend({&taken, execution_});
    return;
  }
  const Place place{own_->region.data() + message.offset, own_->region.half()};
  const Pipe pipe = pipe_of(place, message.ring);
  pipe.clear();
  pipes_.send(pipe, leaving.move, message.length, taken, execution_);
}

void PlanSharing::begin_to_take(const Arrival& arrival) {
  if (arrival.ring == kOnLoan) {
    loans_.borrow({arrival.sender,
                   lent_in(*arrival.letter),
                   arrival.landing.whole,
                   arrival.length,
                   arrival.step,
                   {arrival.taken, execution_}});
    return;
  }
  pipes_.receive(pipe_of(arrival.place, arrival.ring), arrival.landing.move, arrival.length,
                 arrival.step);
}

bool PlanSharing::move_long() {
  const auto arrived = [](std::size_t /*step*/) {};
  const bool piped = pipes_.advance(arrived);
  const bool taken = loans_.advance(node_.processes(), arrived,
                                    [&](const Error& error) { disagreement_ = error; });
  return piped || taken;
}

bool PlanSharing::advance(const std::function<void(std::size_t)>& handle) {
  const std::size_t missing = pending_.size();
  std::erase_if(pending_, [&](const Arrival* arrival) {
    if (arrival->ready->load(std::memory_order_acquire) < execution_) return false;
    if (arrival->length != arrival->expected) {
      disagreement_ = wrong_length(arrival->from, arrival->expected);
    } else if (arrival->lies_whole()) {
      handle(arrival->step);
    } else {
      begin_to_take(*arrival);
    }
    return true;
  });
  moved_ = move_long() || pending_.size() < missing;
  return pending_.empty() && pipes_.empty() && loans_.empty();
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
