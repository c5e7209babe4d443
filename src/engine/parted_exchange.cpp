#include "engine/parted_exchange.hpp"

#include <algorithm>
#include <utility>

namespace shunt {

void add_part(Counters& all, const Counters& part) {
  all.stages.resize(std::max(all.stages.size(), part.stages.size()));
  for (std::size_t stage = 0; stage < part.stages.size(); ++stage) {
    StageCounters& sum = all.stages[stage];
    const StageCounters& added = part.stages[stage];
    sum.messages_received += added.messages_received;
    sum.messages_sent += added.messages_sent;
    sum.longest_received = std::max(sum.longest_received, added.longest_received);
    sum.received += added.received;
    sum.metadata_sent += added.metadata_sent;
  }
  all.peak_send_buffer = std::max(all.peak_send_buffer, part.peak_send_buffer);
  all.peak_receive_buffer = std::max(all.peak_receive_buffer, part.peak_receive_buffer);
  all.peak_shared = std::max(all.peak_shared, part.peak_shared);
  all.memory = std::max(all.memory, part.memory);
}

PartedExchange::PartedExchange(std::shared_ptr<Context> context, std::unique_ptr<BlockParts> parts,
                               std::vector<std::unique_ptr<PlannedExchange>> exchanges)
    : PlannedExchange(std::move(context)),
      parts_(std::move(parts)),
      exchanges_(std::move(exchanges)) {
  for (const auto& exchange : exchanges_) add_part(counters, exchange->counters);
  counters.memory += parts_->memory();
}

bool PartedExchange::begin() {
  part_ = 0;
  return begin_rest();
}

bool PartedExchange::begin_rest() {
  for (; part_ < exchanges_.size(); ++part_) {
    parts_->take(static_cast<Bytes>(part_));
    parts_->pack();
    if (begin_of(*exchanges_[part_])) return true;
    parts_->unpack();
  }
  return false;
}

bool PartedExchange::advance(bool wait) {
  if (!exchanges_[part_]->advance(wait)) return false;
  parts_->unpack();
  ++part_;
  if (begin_rest()) return false;
  finish();
  return true;
}

}  // namespace shunt
