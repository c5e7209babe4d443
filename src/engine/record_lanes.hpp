// Sorting single records into the messages of a stage, in one scan.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "context/packet_pool.hpp"

namespace shunt {

/// How records lie in a packet: first all records, then, where the next stage cannot compute them,
/// their destinations in the narrowest integers that hold a rank.
struct PacketFormat {
  std::size_t record;    ///< bytes of a record
  std::size_t tag;       ///< bytes of a destination: 0, 1, 2 or 4
  std::size_t capacity;  ///< records in a full packet

  [[nodiscard]] std::size_t packet_bytes() const { return capacity * (record + tag); }
  [[nodiscard]] Bytes bytes_of(std::size_t records) const {
    return static_cast<Bytes>(records * (record + tag));
  }
  [[nodiscard]] std::size_t records_in(Bytes bytes) const {
    return static_cast<std::size_t>(bytes) / (record + tag);
  }
};

/// Bytes of the narrowest tag for ranks below `ranks`.
[[nodiscard]] std::size_t tag_bytes(Rank ranks);

/// The messages of one stage while they are composed: a lane per rank to send to, each with a
/// packet that is being filled. A full packet is handed to `on_full` at once.
class RecordLanes {
 public:
  using OnFull = std::function<void(std::size_t lane, Packet packet, std::size_t records)>;

  /// `targets`: the ranks that the lanes lead to, all different.
  RecordLanes(const RecordRule& rule, std::span<const Rank> targets, const PacketFormat& format,
              PacketPool& pool, OnFull on_full);

  /// Sorts `count` records into the lanes by their destinations, which are ranks that the rule
  /// knows.
  void scatter(const std::byte* records, const Rank* destinations, std::size_t count);

  /// Hands over what is left in each lane, in the order of the lanes: a packet that is not full,
  /// and may be empty, ends a message.
  void flush();

 private:
  struct Lane {
    Packet packet;
    std::byte* next = nullptr;  ///< where the next record goes
    std::size_t filled = 0;     ///< records
  };

  template <std::size_t kRecord>
  void scatter_sized(const std::byte* records, const Rank* destinations, std::size_t count);
  template <std::size_t kRecord, bool kDealt>
  void scatter_fixed(const std::byte* records, const Rank* destinations, std::size_t count);
  void put_tag(Lane& lane, Rank destination) const;
  void ship(std::size_t lane);
  void open(Lane& lane);

  PacketFormat format_;
  PacketPool& pool_;
  OnFull on_full_;
  bool dealt_;
  std::vector<std::uint32_t> lane_of_;  ///< by destination, or by place in the cycle
  std::vector<std::uint32_t> place_;    ///< by destination: its next place in the cycle, if any
  std::vector<Lane> lanes_;
};

/// The destinations that travel with the records of a packet of `count` records.
void read_tags(const PacketFormat& format, const std::byte* packet, std::size_t count,
               Rank* destinations);

}  // namespace shunt
