#include "engine/record_lanes.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace shunt {

namespace {

constexpr std::uint32_t kNoLane = std::numeric_limits<std::uint32_t>::max();

/// Calls `use` with an integer of the type that tags of so many bytes have. Little endian or not, a
/// tag is read back as the type as which it was written.
template <class Use>
void with_tag(std::size_t bytes, Use&& use) {
  if (bytes == 1) {
    use(std::uint8_t{});
  } else if (bytes == 2) {
    use(std::uint16_t{});
  } else {
    use(std::uint32_t{});
  }
}

}  // namespace

std::size_t tag_bytes(Rank ranks) {
  if (ranks <= 1 << 8) return 1;
  return ranks <= 1 << 16 ? 2 : 4;
}

void read_tags(const PacketFormat& format, const std::byte* packet, std::size_t count,
               Rank* destinations) {
  const std::byte* tags = packet + count * format.record;
  with_tag(format.tag, [&](auto tag) {
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(&tag, tags + i * sizeof tag, sizeof tag);
      destinations[i] = static_cast<Rank>(tag);
    }
  });
}

RecordLanes::RecordLanes(const RecordRule& rule, std::span<const Rank> targets,
                         const PacketFormat& format, PacketPool& pool, OnFull on_full)
    : format_(format),
      pool_(pool),
      on_full_(std::move(on_full)),
      dealt_(rule.dealt),
      place_(rule.entry.begin(), rule.entry.end()),
      lanes_(targets.size()) {
  const Rank highest = targets.empty() ? kNoRank : std::ranges::max(targets);
  std::vector<std::uint32_t> lane_to(static_cast<std::size_t>(highest + 1), kNoLane);
  for (std::size_t lane = 0; lane < targets.size(); ++lane) {
    lane_to[static_cast<std::size_t>(targets[lane])] = static_cast<std::uint32_t>(lane);
  }
  for (const Rank to : rule.to) {
    const bool reached = to != kNoRank && to <= highest;
    lane_of_.push_back(reached ? lane_to[static_cast<std::size_t>(to)] : kNoLane);
  }
  for (Lane& lane : lanes_) open(lane);
}

void RecordLanes::put_tag(Lane& lane, Rank destination) const {
  std::byte* const to =
      lane.packet.get() + format_.capacity * format_.record + lane.filled * format_.tag;
  with_tag(format_.tag, [&](auto tag) {
    tag = static_cast<decltype(tag)>(destination);
    std::memcpy(to, &tag, sizeof tag);
  });
}

template <std::size_t kRecord, bool kDealt>
void RecordLanes::scatter_fixed(const std::byte* records, const Rank* destinations,
                                std::size_t count) {
  const std::size_t record = kRecord == 0 ? format_.record : kRecord;
  const bool tagged = format_.tag != 0;
  const std::size_t capacity = format_.capacity;
  const std::uint32_t* const lane_of = lane_of_.data();
  const auto cycle = static_cast<std::uint32_t>(lane_of_.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto destination = static_cast<std::size_t>(destinations[i]);
    std::size_t index = 0;
    if constexpr (kDealt) {
      std::uint32_t& place = place_[destination];
      index = lane_of[place];
      place = place + 1 == cycle ? 0 : place + 1;
    } else {
      index = lane_of[destination];
    }
    Lane& lane = lanes_[index];
    std::memcpy(lane.next, records + i * record, record);
    lane.next += record;
    if (tagged) put_tag(lane, destinations[i]);
    if (++lane.filled == capacity) {
      ship(index);
      open(lane);
    }
  }
}

template <std::size_t kRecord>
void RecordLanes::scatter_sized(const std::byte* records, const Rank* destinations,
                                std::size_t count) {
  if (dealt_) {
    scatter_fixed<kRecord, true>(records, destinations, count);
  } else {
    scatter_fixed<kRecord, false>(records, destinations, count);
  }
}

void RecordLanes::scatter(const std::byte* records, const Rank* destinations, std::size_t count) {
  switch (format_.record) {
    case 4:
      return scatter_sized<4>(records, destinations, count);
    case 8:
      return scatter_sized<8>(records, destinations, count);
    case 12:
      return scatter_sized<12>(records, destinations, count);
    case 16:
      return scatter_sized<16>(records, destinations, count);
    case 24:
      return scatter_sized<24>(records, destinations, count);
    case 32:
      return scatter_sized<32>(records, destinations, count);
    default:
      return scatter_sized<0>(records, destinations, count);
  }
}

void RecordLanes::ship(std::size_t index) {
  Lane& lane = lanes_[index];
  const std::size_t records = lane.filled;
  lane.filled = 0;
  on_full_(index, std::move(lane.packet), records);
}

void RecordLanes::open(Lane& lane) {
  lane.packet = pool_.take();
  lane.next = lane.packet.get();
}

void RecordLanes::flush() {
  for (std::size_t index = 0; index < lanes_.size(); ++index) {
    Lane& lane = lanes_[index];
    if (format_.tag != 0 && lane.filled > 0) {
      std::memmove(lane.packet.get() + lane.filled * format_.record,
                   lane.packet.get() + format_.capacity * format_.record,
                   lane.filled * format_.tag);
    }
    ship(index);
  }
}

}  // namespace shunt
