#include "bindings/array_overlap.hpp"

#include <algorithm>
#include <cstddef>

namespace shunt {

namespace {

/// Calls `visit(offset, bytes)` for what of an array lies in a box.
template <class Visit>
void for_each_stretch(const Box& box, Visit&& visit) {
  BoxCursor cursor(box);
  for (Bytes left = box.bytes(); left > 0;) {
    const BoxCursor::Stretch stretch = cursor.stretch();
    visit(stretch.offset, stretch.length);
    cursor.skip(stretch.length);
    left -= stretch.length;
  }
}

}  // namespace

bool ReadAndWritten::meet() {
  std::ranges::sort(read_, {}, &Range::begin);
  std::ranges::sort(written_, {}, &Range::begin);
  std::uintptr_t read_end = 0;
  std::uintptr_t written_end = 0;
  for (auto a = read_.begin(), b = written_.begin(); a != read_.end() && b != written_.end();) {
    if (a->begin < b->begin) {
      read_end = std::max(read_end, a->end);
      if (b->begin < read_end) return true;
      ++a;
    } else {
      written_end = std::max(written_end, b->end);
      if (a->begin < written_end) return true;
      ++b;
    }
  }
  return false;
}

bool overwrites_what_it_sends(const std::vector<LocalRedistribution>& redistributions,
                              const std::vector<BoxArrays::Pair>& memory, Rank rank,
                              Bytes element) {
  ReadAndWritten all;
  for_each_box(
      redistributions, rank, element,
      [&](std::size_t array, const BoxMessage& message) {
        for_each_stretch(message.box, [&](Bytes offset, Bytes bytes) {
          all.read(memory[array].from, offset, bytes);
        });
      },
      [&](std::size_t array, const BoxMessage& message) {
        for_each_stretch(message.box, [&](Bytes offset, Bytes bytes) {
          all.written(memory[array].to, offset, bytes);
        });
      });
  return all.meet();
}

}  // namespace shunt
