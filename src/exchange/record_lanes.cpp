#include "exchange/record_lanes.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace shunt {

namespace {

constexpr std::uint32_t kNoLane = std::numeric_limits<std::uint32_t>::max();

template <class Integer>
void widen(const std::byte* tags, std::size_t count, Rank* destinations) {
  for (std::size_t i = 0; i < count; ++i) {
    Integer tag;
    std::memcpy(&tag, tags + i * sizeof(Integer), sizeof(Integer));
    destinations[i] = static_cast<Rank>(tag);
  }
}

}  // namespace

Packet PacketPool::take() {
  if (free_.empty())
    return std::make_unique_for_overwrite<std::byte[]>(std::max<std::size_t>(bytes_, 1));
  Packet packet = std::move(free_.back());
  free_.pop_back();
  return packet;
}

std::size_t tag_bytes(Rank ranks) {
  if (ranks <= 1 << 8) return 1;
  return ranks <= 1 << 16 ? 2 : 4;
}

void read_tags(const PacketFormat& format, const std::byte* packet, std::size_t count,
               Rank* destinations) {
  const std::byte* tags = packet + count * format.record;
  if (format.tag == 1) {
    widen<std::uint8_t>(tags, count, destinations);
  } else if (format.tag == 2) {
    widen<std::uint16_t>(tags, count, destinations);
  } else {
    widen<std::uint32_t>(tags, count, destinations);
  }
}

RecordLanes::RecordLanes(const RecordRule& rule, std::span<const Rank> targets,
                         const PacketFormat& format, PacketPool& pool, OnFull on_full)
    : format_(format),
      pool_(pool),
      on_full_(std::move(on_full)),
      dealt_(rule.dealt),
      place_(rule.entry.begin(), rule.entry.end()),
      lanes_(targets.size()) {
  for (const Rank to : rule.to) {
    const auto found = std::ranges::find(targets, to);
    lane_of_.push_back(
        found == targets.end() ? kNoLane : static_cast<std::uint32_t>(found - targets.begin()));
  }
}

std::size_t RecordLanes::lane_for(Rank destination) {
  const auto index = static_cast<std::size_t>(destination);
  if (!dealt_) return lane_of_[index];
  std::uint32_t& place = place_[index];
  const std::uint32_t lane = lane_of_[place];
  place = place + 1 == lane_of_.size() ? 0 : place + 1;
  return lane;
}

void RecordLanes::put_tag(Lane& lane, Rank destination) const {
  std::byte* const to =
      lane.packet.get() + format_.capacity * format_.record + lane.filled * format_.tag;
  // Little endian or not, a tag is read back as the same integer type.
  if (format_.tag == 1) {
    const auto tag = static_cast<std::uint8_t>(destination);
    std::memcpy(to, &tag, sizeof tag);
  } else if (format_.tag == 2) {
    const auto tag = static_cast<std::uint16_t>(destination);
    std::memcpy(to, &tag, sizeof tag);
  } else {
    std::memcpy(to, &destination, sizeof destination);
  }
}

template <std::size_t kRecord>
void RecordLanes::scatter_fixed(const std::byte* records, const Rank* destinations,
                                std::size_t count) {
  const std::size_t record = kRecord == 0 ? format_.record : kRecord;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t index = lane_for(destinations[i]);
    Lane& lane = lanes_[index];
    if (!lane.packet) lane.packet = pool_.take();
    std::memcpy(lane.packet.get() + lane.filled * record, records + i * record, record);
    if (format_.tag != 0) put_tag(lane, destinations[i]);
    if (++lane.filled == format_.capacity) ship(index);
  }
}

void RecordLanes::scatter(const std::byte* records, const Rank* destinations, std::size_t count) {
  switch (format_.record) {
    case 4:
      return scatter_fixed<4>(records, destinations, count);
    case 8:
      return scatter_fixed<8>(records, destinations, count);
    case 12:
      return scatter_fixed<12>(records, destinations, count);
    case 16:
      return scatter_fixed<16>(records, destinations, count);
    case 24:
      return scatter_fixed<24>(records, destinations, count);
    case 32:
      return scatter_fixed<32>(records, destinations, count);
    default:
      return scatter_fixed<0>(records, destinations, count);
  }
}

void RecordLanes::ship(std::size_t index) {
  Lane& lane = lanes_[index];
  const std::size_t records = lane.filled;
  lane.filled = 0;
  on_full_(index, std::move(lane.packet), records);
}

void RecordLanes::flush() {
  for (std::size_t index = 0; index < lanes_.size(); ++index) {
    Lane& lane = lanes_[index];
    if (!lane.packet) lane.packet = pool_.take();
    if (format_.tag != 0 && lane.filled > 0) {
      std::memmove(lane.packet.get() + lane.filled * format_.record,
                   lane.packet.get() + format_.capacity * format_.record,
                   lane.filled * format_.tag);
    }
    ship(index);
  }
}

}  // namespace shunt
