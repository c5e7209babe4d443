#include "engine/record_exchange.hpp"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "mpi_calls/mpi_call.hpp"

namespace shunt {

namespace {

/// Records that are classified and dealt out at a time: their destinations stay in the cache.
constexpr std::size_t kBatch = 2048;

/// Packets are as long as this allows for all receives of a stage together, within limits.
constexpr std::size_t kReceiveMemory = std::size_t{4} << 20;
constexpr std::size_t kLongestPacket = std::size_t{128} << 10;
constexpr std::size_t kShortestPacket = std::size_t{4} << 10;

/// Memory of packets of one size that is kept for the next exchange.
constexpr std::size_t kKeptMemory = std::size_t{8} << 20;

/// Packets that one lane may have under way before composition waits for it.
constexpr std::size_t kFlyingPerLane = 2;

std::size_t packet_target(int step_count) {
  return std::clamp(kReceiveMemory / static_cast<std::size_t>(std::max(step_count, 1)),
                    kShortestPacket, kLongestPacket);
}

}  // namespace

RecordExchange::RecordExchange(Context& context, const Schedule& schedule, const Options& options,
                               const RecordShape& shape, const Destinations& destinations)
    : context_(context),
      schedule_(schedule),
      options_(options),
      record_bytes_(shape.bytes),
      destinations_(destinations),
      stages_(schedule.steps.size()),
      output_(shape.alignment) {
  for (std::size_t stage = 0; stage < stages_.size(); ++stage) set_up(stage);
  for (Rank to = 0; to < context.ranks(); ++to) {
    allowed_.push_back(schedule.algorithm->supports_pair(context.rank(), to) ? 1 : 0);
  }
}

void RecordExchange::set_up(std::size_t index) {
  Stage& stage = stages_[index];
  const auto number = static_cast<int>(index);
  stage.tag = context_.draw_tag();
  for (const Step& step : schedule_.steps[index]) {
    if (step.to != kNoRank) stage.targets.push_back(step.to);
    if (step.from == context_.rank()) stage.own_inlet = stage.inlets.size();
    if (step.from != kNoRank) stage.inlets.push_back({step.from});
  }
  stage.open_inlets = stage.inlets.size();
  stage.queued.resize(stage.targets.size());

  const bool tagged = destinations_.classifier == nullptr && !is_last(index);
  stage.format.record = record_bytes_;
  stage.format.tag = tagged ? tag_bytes(context_.ranks()) : 0;
  stage.format.capacity =
      std::max<std::size_t>(1, packet_target(schedule_.algorithm->step_count(number)) /
                                   (stage.format.record + stage.format.tag));
  const std::size_t bytes = stage.format.packet_bytes();
  stage.pool = &context_.scratch.packets.try_emplace(bytes, bytes).first->second;
  stage.lanes = std::make_unique<RecordLanes>(
      schedule_.algorithm->record_rule(number, context_.rank()), stage.targets, stage.format,
      *stage.pool, [this, index](std::size_t lane, Packet packet, std::size_t records) {
        ship(index, lane, std::move(packet), records);
      });
}

RawBuffer RecordExchange::run(std::span<const std::byte> records, Counters& counters) {
  // As much comes as goes, unless the traffic is uneven.
  output_.reserve(records.size() + records.size() / 8);
  const std::size_t receiving = dual() ? stages_.size() : 1;
  if (!blocking()) {
    for (std::size_t stage = 0; stage < receiving; ++stage) begin_receives(stage);
  }
  compose_first(records);
  for (std::size_t stage = 0; stage < stages_.size(); ++stage) run_stage(stage);
  while (!requests_.empty()) progress();
  for (const Stage& stage : stages_) stage.pool->trim(kKeptMemory);

  for (const Stage& stage : stages_) {
    StageCounters counted;
    counted.messages_sent = static_cast<int>(stage.targets.size());
    for (const Inlet& inlet : stage.inlets) {
      ++counted.messages_received;
      counted.longest_received = std::max(counted.longest_received, inlet.payload);
      counted.received += inlet.payload;
    }
    counters.stages.push_back(counted);
  }
  return output_.finish();
}

void RecordExchange::compose_first(std::span<const std::byte> records) {
  const std::size_t count = records.size() / record_bytes_;
  if (count > 0 && stages_[0].targets.empty()) {
    throw Error(ErrorKind::argument,
                fmt::format("rank {} has {} records, but algorithm {} lets it "
                            "send none",
                            context_.rank(), count, schedule_.algorithm->name()));
  }
  ranks_.resize(kBatch);
  for (std::size_t first = 0; first < count; first += kBatch) {
    const std::size_t batch = std::min(kBatch, count - first);
    const std::byte* from = records.data() + first * record_bytes_;
    classify(from, first, batch);
    stages_[0].lanes->scatter(from, ranks_.data(), batch);
  }
  stages_[0].lanes->flush();
}

void RecordExchange::classify(const std::byte* records, std::size_t first, std::size_t count) {
  if (destinations_.classifier != nullptr) {
    (*destinations_.classifier)(records, count, ranks_.data());
  } else {
    std::copy_n(destinations_.ranks.begin() + static_cast<std::ptrdiff_t>(first), count,
                ranks_.begin());
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Rank to = ranks_[i];
    if (to < 0 || to >= context_.ranks() || allowed_[static_cast<std::size_t>(to)] == 0) {
      throw Error(ErrorKind::rank,
                  fmt::format("record {} is for rank {}, to which rank {} cannot send among {} "
                              "ranks with algorithm {}",
                              first + i, to, context_.rank(), context_.ranks(),
                              schedule_.algorithm->name()));
    }
  }
}

void RecordExchange::begin_receives(std::size_t stage) {
  for (std::size_t inlet = 0; inlet < stages_[stage].inlets.size(); ++inlet) {
    if (stages_[stage].inlets[inlet].from != context_.rank()) post_receive(stage, inlet);
  }
}

void RecordExchange::post_receive(std::size_t index, std::size_t inlet) {
  Stage& stage = stages_[index];
  const std::size_t bytes = stage.format.packet_bytes();
  Packet packet;
  std::byte* slot = is_last(index) ? output_.take_slot(bytes) : nullptr;
  if (slot == nullptr) packet = stage.pool->take();
  const MPI_Request request =
      start_receive(slot == nullptr ? packet.get() : slot, static_cast<Bytes>(bytes),
                    {stage.inlets[inlet].from, stage.tag, context_.comm()});
  requests_.add(request, {index, inlet, true, std::move(packet), slot});
}

void RecordExchange::ship(std::size_t index, std::size_t lane, Packet packet, std::size_t records) {
  Stage& stage = stages_[index];
  if (stage.targets[lane] == context_.rank()) {
    arrive(index, stage.own_inlet, std::move(packet), records);
    return;
  }
  if (blocking()) {
    stage.queued[lane].push_back({std::move(packet), records});
    return;
  }
  const MPI_Request request = start_send(packet.get(), stage.format.bytes_of(records),
                                         {stage.targets[lane], stage.tag, context_.comm()});
  ++stage.flying;
  requests_.add(request, {index, lane, false, std::move(packet), nullptr});
  // Only the first stage's composition can wait: later stages are composed while packets arrive.
  const std::size_t limit = kFlyingPerLane * stage.targets.size();
  if (index > 0 && dual()) return;
  while (stage.flying > limit) progress();
}

void RecordExchange::progress() {
  const bool others = !context_.progress.active.empty();
  if (others) {
    context_.progress.progress_active();
    std::this_thread::yield();
  }
  requests_.progress(!others, [this](Work& work, const MPI_Status& status) {
    Stage& stage = stages_[work.stage];
    if (!work.receives) {
      --stage.flying;
      stage.pool->give_back(std::move(work.packet));
      return;
    }
    const std::size_t records = stage.format.records_in(received_bytes(status));
    if (records == stage.format.capacity) post_receive(work.stage, work.lane);
    if (work.slot != nullptr) {
      if (records < stage.format.capacity) {
        output_.came_short(work.slot, records * record_bytes_, stage.format.packet_bytes());
      }
      count_arrival(work.stage, work.lane, records);
    } else {
      arrive(work.stage, work.lane, std::move(work.packet), records);
    }
  });
}

void RecordExchange::arrive(std::size_t index, std::size_t inlet, Packet packet,
                            std::size_t records) {
  Stage& stage = stages_[index];
  if (is_last(index)) {
    output_.append(packet.get(), records * record_bytes_);
    stage.pool->give_back(std::move(packet));
  } else if (dual()) {
    deal_out(index, packet.get(), records);
    stage.pool->give_back(std::move(packet));
  } else {
    stage.kept.push_back({std::move(packet), records});
  }
  count_arrival(index, inlet, records);
}

void RecordExchange::count_arrival(std::size_t index, std::size_t inlet, std::size_t records) {
  Stage& stage = stages_[index];
  stage.inlets[inlet].payload += static_cast<Bytes>(records * record_bytes_);
  if (records == stage.format.capacity) return;
  --stage.open_inlets;
  if (stage.open_inlets == 0 && dual() && !is_last(index)) stages_[index + 1].lanes->flush();
}

void RecordExchange::deal_out(std::size_t index, const std::byte* packet, std::size_t records) {
  const Stage& stage = stages_[index];
  std::vector<Rank> destinations(records);
  if (destinations_.classifier != nullptr) {
    (*destinations_.classifier)(packet, records, destinations.data());
  } else {
    read_tags(stage.format, packet, records, destinations.data());
  }
  stages_[index + 1].lanes->scatter(packet, destinations.data(), records);
}

void RecordExchange::run_stage(std::size_t index) {
  if (blocking()) {
    run_stage_blocking(index);
  } else {
    while (stages_[index].open_inlets > 0) progress();
  }
  if (is_last(index)) return;
  if (dual()) {
    // The last inlet to close ends the next stage's composition; here there is none.
    if (stages_[index].inlets.empty()) stages_[index + 1].lanes->flush();
    return;
  }
  while (stages_[index].flying > 0) progress();
  if (!blocking()) begin_receives(index + 1);
  for (Outbound& kept : stages_[index].kept) {
    deal_out(index, kept.packet.get(), kept.records);
    kept.packet.reset();
  }
  stages_[index + 1].lanes->flush();
}

}  // namespace shunt
