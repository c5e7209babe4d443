#include "bindings/box_packing.hpp"

#include <cstddef>
#include <utility>

#include "mpi_calls/simulated.hpp"

namespace shunt {

BoxPacking::BoxPacking(const std::vector<LocalRedistribution>& redistributions, BoxArrays arrays,
                       Rank rank, Rank ranks, Bytes element)
    : arrays_(std::move(arrays)), element_(element), send_(ranks), receive_(ranks) {
  const auto into = [](auto& side) {
    return [&side](std::size_t array, const BoxMessage& message) {
      side.boxes[index_of(message.peer)].add(array, message.box);
    };
  };
  for_each_box(redistributions, rank, element, into(send_), into(receive_));
  const auto measure = [](auto& side) {
    for (const BoxSeries& boxes : side.boxes) side.lengths.push_back(boxes.bytes());
  };
  measure(send_);
  measure(receive_);
  divide({});
}

bool BoxPacking::fits_ints() const {
  return std::in_range<int>(total_bytes(send_.lengths)) &&
         std::in_range<int>(total_bytes(receive_.lengths));
}

Bytes BoxPacking::memory() const { return send_.memory.capacity() + receive_.memory.capacity(); }

template <class Blocks>
void BoxPacking::Side<Blocks>::take(const Parts& parts, Bytes part) {
  bytes.clear();
  offsets.clear();
  Bytes all = 0;
  for (const Bytes length : lengths) {
    offsets.push_back(all);
    bytes.push_back(parts.bytes(length, part));
    all += bytes.back();
  }
}

void BoxPacking::divide(const Parts& parts) {
  parts_ = parts;
  take(0);
  send_.longest = total_bytes(send_.bytes);
  receive_.longest = total_bytes(receive_.bytes);
}

void BoxPacking::take(Bytes part) {
  part_ = part;
  send_.take(parts_, part);
  receive_.take(parts_, part);
}

void BoxPacking::pack() {
  charge_copies(total_bytes(send_.bytes));
  if (!payloads_are_real()) return;
  std::byte* const base = send_.memory.provide(send_.longest);
  for (std::size_t peer = 0; peer < send_.boxes.size(); ++peer) {
    if (part_ == 0) send_.boxes[peer].rewind();
    arrays_.pack(send_.boxes[peer], base + send_.offsets[peer], send_.bytes[peer]);
  }
}

void BoxPacking::unpack() {
  charge_copies(total_bytes(receive_.bytes));
  if (!payloads_are_real()) return;
  const std::byte* const base = receive_.memory.provide(receive_.longest);
  for (std::size_t peer = 0; peer < receive_.boxes.size(); ++peer) {
    if (part_ == 0) receive_.boxes[peer].rewind();
    arrays_.unpack(receive_.boxes[peer], base + receive_.offsets[peer], receive_.bytes[peer]);
  }
}

}  // namespace shunt
