#include "engine/record_output.hpp"

#include <algorithm>

#include "routing/move_bytes.hpp"

namespace shunt {

void RecordOutput::came_short(const std::byte* slot, std::size_t used, std::size_t bytes) {
  const auto begin = static_cast<std::size_t>(slot - main_.data());
  holes_.push_back({begin + used, begin + bytes});
}

void RecordOutput::append(const std::byte* records, std::size_t bytes) {
  if (bytes == 0) return;
  RawBuffer& to = main_.size() + bytes <= room_ ? main_ : overflow_;
  move_bytes(to.extend(bytes), records, static_cast<Bytes>(bytes));
}

RawBuffer RecordOutput::finish() {
  close_holes();
  if (overflow_.size() > 0) {
    move_bytes(main_.extend(overflow_.size()), overflow_.data(),
               static_cast<Bytes>(overflow_.size()));
  }
  return std::move(main_);
}

void RecordOutput::close_holes() {
  std::ranges::sort(holes_, {}, &Hole::begin);
  std::size_t end = main_.size();
  std::size_t first = 0;
  while (first < holes_.size()) {
    const Hole& last = holes_.back();
    if (last.end == end) {
      end = last.begin;
      holes_.pop_back();
      continue;
    }
    Hole& hole = holes_[first];
    const std::size_t moved = std::min(hole.end - hole.begin, end - last.end);
    move_bytes(main_.data() + hole.begin, main_.data() + end - moved, static_cast<Bytes>(moved));
    hole.begin += moved;
    end -= moved;
    if (hole.begin == hole.end) ++first;
  }
  main_.truncate(end);
}

}  // namespace shunt
