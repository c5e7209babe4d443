#include "bindings/box_packing.hpp"

#include <cstddef>
#include <utility>

namespace shunt {

BoxPacking::BoxPacking(const std::vector<LocalRedistribution>& redistributions, BoxArrays arrays,
                       Rank rank, Rank ranks, Bytes element)
    : arrays_(std::move(arrays)),
      send_{std::vector<BoxSeries>(index_of(ranks))},
      receive_{std::vector<BoxSeries>(index_of(ranks))} {
  for (std::size_t array = 0; array < redistributions.size(); ++array) {
    const auto& [redistribution, from_strides, to_strides] = redistributions[array];
    for (const BoxMessage& message : redistribution.sends(rank, from_strides, element)) {
      send_.boxes[index_of(message.peer)].add(array, message.box);
    }
    for (const BoxMessage& message : redistribution.receives(rank, to_strides, element)) {
      receive_.boxes[index_of(message.peer)].add(array, message.box);
    }
  }
  make_room(send_);
  make_room(receive_);
}

void BoxPacking::make_room(Side& side) {
  Bytes all = 0;
  for (const BoxSeries& boxes : side.boxes) {
    side.offsets.push_back(all);
    side.bytes.push_back(boxes.bytes());
    all += boxes.bytes();
  }
  side.base = side.memory.provide(all);
}

void BoxPacking::pack() {
  for (std::size_t peer = 0; peer < send_.boxes.size(); ++peer) {
    send_.boxes[peer].rewind();
    arrays_.pack(send_.boxes[peer], send_.base + send_.offsets[peer], send_.bytes[peer]);
  }
}

void BoxPacking::unpack() {
  for (std::size_t peer = 0; peer < receive_.boxes.size(); ++peer) {
    receive_.boxes[peer].rewind();
    arrays_.unpack(receive_.boxes[peer], receive_.base + receive_.offsets[peer],
                   receive_.bytes[peer]);
  }
}

}  // namespace shunt
