#include "bindings/box_packing.hpp"

#include <cstddef>
#include <utility>

#include "exchange/simulated.hpp"

namespace shunt {

BoxPacking::BoxPacking(const std::vector<LocalRedistribution>& redistributions, BoxArrays arrays,
                       Rank rank, Rank ranks, Bytes element)
    : arrays_(std::move(arrays)),
      send_{std::vector<BoxSeries>(index_of(ranks))},
      receive_{std::vector<BoxSeries>(index_of(ranks))} {
  const auto into = [](Side& side) {
    return [&side](std::size_t array, const BoxMessage& message) {
      side.boxes[index_of(message.peer)].add(array, message.box);
    };
  };
  for_each_box(redistributions, rank, element, into(send_), into(receive_));
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
  charge_copies(total_bytes(send_.bytes));
  if (!payloads_are_real()) return;
  for (std::size_t peer = 0; peer < send_.boxes.size(); ++peer) {
    send_.boxes[peer].rewind();
    arrays_.pack(send_.boxes[peer], send_.base + send_.offsets[peer], send_.bytes[peer]);
  }
}

void BoxPacking::unpack() {
  charge_copies(total_bytes(receive_.bytes));
  if (!payloads_are_real()) return;
  for (std::size_t peer = 0; peer < receive_.boxes.size(); ++peer) {
    receive_.boxes[peer].rewind();
    arrays_.unpack(receive_.boxes[peer], receive_.base + receive_.offsets[peer],
                   receive_.bytes[peer]);
  }
}

}  // namespace shunt
