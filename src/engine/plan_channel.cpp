#include "engine/plan_channel.hpp"

#include <algorithm>
#include <utility>

#include "transport/slots.hpp"

namespace shunt {

namespace {

void sort_out(std::vector<std::size_t>& places) {
  std::ranges::sort(places);
  places.erase(std::ranges::unique(places).begin(), places.end());
}

}  // namespace

PlanChannel::PlanChannel(std::shared_ptr<Context> context,
                         const std::vector<std::vector<Step>>& steps, const PlanDraft& draft,
                         const Options& options)
    : context_(std::move(context)), node_(context_->node()) {
  // Once all are here, plans that went before have left the memory of all.
  (void)context_->progress.allgather_on_node(-1);
  choose(draft, options);
  own_ = node_.make_region(messages_.size(), half_);
  if (own_) describe(draft);
  const std::vector<Bytes> regions = context_->progress.allgather_on_node(own_ ? own_->offset : -1);
  arrivals_.resize(draft.stages.size());
  if (std::ranges::min(regions) >= 0) {
    look_around(steps, draft, regions);
  } else if (own_) {
    node_.retire(*own_, {});
    own_.reset();
  }
}

PlanChannel::~PlanChannel() {
  if (!own_) return;
  own_->region.done().store(kTakenForever, std::memory_order_release);
  for (Word* taken : taken_) taken->store(kTakenForever, std::memory_order_release);
  node_.retire(*own_, std::move(peers_));
}

void PlanChannel::choose(const PlanDraft& draft, const Options& options) {
  for (const StageDraft& stage : draft.stages) {
    messages_.emplace_back(stage.outgoing.size(), SharedMessage{-1, 0, 0});
  }
  if (draft.stages.size() == 1 && choose_places(draft.stages.front(), options)) return;
  choose_short(draft);
}

bool PlanChannel::is_candidate(const Outgoing& message) const {
  return message.payload > 0 && message.to != context_->rank() &&
         node_.place_of(message.to).has_value();
}

bool PlanChannel::choose_places(const StageDraft& stage, const Options& options) {
  std::vector<Bytes> lengths;
  const auto is_exposed = [&](const Outgoing& message) {
    return wants_single_copy(options, message.payload);
  };
  for (const Outgoing& message : stage.outgoing) {
    if (is_candidate(message)) lengths.push_back(is_exposed(message) ? 0 : message.payload);
  }
  if (lengths.empty()) return true;
  Slots slots(std::min(node_.largest_half(1), Slots::kBlocksRoom), lengths);
  if (!slots.fit()) return false;
  for (std::size_t k = 0; k < stage.outgoing.size(); ++k) {
    const Outgoing& message = stage.outgoing[k];
    if (!is_candidate(message)) continue;
    messages_.front()[k] = is_exposed(message) ? SharedMessage{0, message.payload, kExposed}
                                               : slots.next(message.payload);
  }
  half_ = slots.used();
  payload_ = slots.payload();
  return true;
}

void PlanChannel::choose_short(const PlanDraft& draft) {
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

void PlanChannel::describe(const PlanDraft& draft) {
  for (std::size_t stage = 0; stage < messages_.size(); ++stage) {
    for (std::size_t k = 0; k < messages_[stage].size(); ++k) {
      if (messages_[stage][k].offset < 0) continue;
      const std::size_t receiver = node_.place_of(draft.stages[stage].outgoing[k].to).value();
      own_->region.descriptor(stage, receiver).message = messages_[stage][k];
      peers_.push_back(receiver);
      if (leaves_from_its_place(stage, k)) leaving_.push_back({k, receiver});
    }
  }
}

void PlanChannel::look_around(const std::vector<std::vector<Step>>& steps, const PlanDraft& draft,
                              const std::vector<Bytes>& regions) {
  const auto region_of = [&](std::size_t place) {
    return node_.region_at(place, regions[place], draft.stages.size());
  };
  sort_out(peers_);
  for (const std::size_t place : peers_) receivers_.push_back({place, &region_of(place).done()});
  for (Leaving& leaving : leaving_) leaving.done = &region_of(leaving.receiver).done();
  seen_done_.resize(regions.size(), 0);
  for (std::size_t stage = 0; stage < draft.stages.size(); ++stage) {
    const StageDraft& drafted = draft.stages[stage];
    for (std::size_t step = 0; step < steps[stage].size(); ++step) {
      const Rank from = steps[stage][step].from;
      if (from == kNoRank || from == context_->rank()) continue;
      const std::optional<std::size_t> place = node_.place_of(from);
      if (!place) continue;
      const Region region = region_of(*place);
      const MessageDescriptor& descriptor = region.descriptor(stage, node_.place());
      const SharedMessage& message = descriptor.message;
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
                                  &descriptor,
                                  &region.taken(node_.place())});
      peers_.push_back(*place);
    }
  }
  for (const std::vector<Arrival>& arrivals : arrivals_) {
    std::vector<Awaited>& awaited = awaited_.emplace_back();
    for (const Arrival& arrival : arrivals) {
      const bool plain = arrival.lies_whole() && arrival.length == arrival.expected;
      awaited.push_back({arrival.ready, arrival.place, static_cast<std::uint32_t>(arrival.step),
                         static_cast<std::uint32_t>(arrival.sender), plain ? nullptr : &arrival});
    }
  }
  sort_out(peers_);
  for (const std::size_t place : peers_) taken_.push_back(&region_of(place).taken(node_.place()));
}

std::optional<PlanChannel::Place> PlanChannel::packed_at(std::size_t stage,
                                                         std::size_t index) const {
  const SharedMessage& message = messages_[stage][index];
  if (message.offset < 0 || message.ring != 0) return std::nullopt;
  return Place{own_->region.data() + message.offset, own_->region.half()};
}

void PlanChannel::send_from(std::size_t index, const std::byte* message, Stores stores) {
  Leaving& leaving = *std::ranges::find(leaving_, index, &Leaving::index);
  if (messages_.front()[index].ring == kExposed) {
    put_exposed(own_->region.descriptor(0, leaving.receiver), message);
  } else {
    leaving.move = move_from(message, stores);
  }
}

bool PlanChannel::has_room() {
  const std::uint64_t last = std::max<std::uint64_t>(execution_, 2) - 2;
  return std::ranges::all_of(receivers_, [&](const Receiver& receiver) {
    std::uint64_t& seen = seen_done_[receiver.place];
    if (seen < last) seen = receiver.done->load(std::memory_order_acquire);
    return seen >= last;
  });
}

void PlanChannel::begin_stage(std::size_t stage) {
  for (const Leaving& leaving : leaving_) begin_to_send(leaving);
  own_->region.ready(stage).store(execution_, std::memory_order_release);
  (void)move_long();
  pending_.clear();
  for (const Awaited& awaited : awaited_[stage]) {
    look_ahead(awaited.ready);
    pending_.push_back(&awaited);
  }
}

void PlanChannel::begin_to_send(const Leaving& leaving) {
  const SharedMessage& message = messages_.front()[leaving.index];
  if (message.ring == kExposed) {
    single_copies_.expose({&own_->region.taken(leaving.receiver), execution_});
    return;
  }
  const Place place{own_->region.data() + message.offset, own_->region.half()};
  const Pipe pipe = pipe_of(place, message.ring);
  pipe.clear();
  pipes_.send(pipe, leaving.move, message.length, *leaving.done, execution_);
}

void PlanChannel::begin_to_take(const Arrival& arrival) {
  if (arrival.ring == kExposed) {
    single_copies_.pull(
        {SingleCopies::read_from(node_.processes(), arrival.sender, exposed_in(*arrival.descriptor),
                                 arrival.landing.whole),
         arrival.length,
         arrival.step,
         {arrival.taken, execution_}});
    return;
  }
  pipes_.receive(pipe_of(arrival.place, arrival.ring), arrival.landing.move, arrival.length,
                 arrival.step);
}

bool PlanChannel::move_long() {
  const auto arrived = [](std::size_t /*step*/) {};
  const bool piped = pipes_.advance(arrived);
  const bool taken =
      single_copies_.advance(arrived, [&](const Error& error) { disagreement_ = error; });
  return piped || taken;
}

bool PlanChannel::advance(const std::function<void(std::size_t)>& handle) {
  find_ready();
  for (const Awaited* awaited : ready_) {
    if (awaited->arrival == nullptr) {
      handle(awaited->step);
    } else {
      take(*awaited->arrival);
    }
  }
  moved_ = move_long() || !ready_.empty();
  return pending_.empty() && pipes_.empty() && single_copies_.empty();
}

void PlanChannel::find_ready() {
  ready_.clear();
  std::erase_if(pending_, [&](const Awaited* awaited) {
    const std::uint64_t number = awaited->ready->load(std::memory_order_acquire);
    if (number < execution_) return false;
    seen_done_[awaited->sender] = number - 1;
    look_ahead(awaited->place.at + (odd() ? awaited->place.shift : 0));
    ready_.push_back(awaited);
    return true;
  });
}

void PlanChannel::take(const Arrival& arrival) {
  if (arrival.length == arrival.expected) {
    begin_to_take(arrival);
    return;
  }
  disagreement_ = wrong_length(arrival.from, arrival.expected);
  SingleCopies::acknowledge({arrival.taken, execution_});
}

}  // namespace shunt
