#include "routing/box.hpp"

#include <algorithm>
#include <span>

#include "routing/move_bytes.hpp"
#include "routing/streaming_copy.hpp"

namespace shunt {

namespace {

/// Short periods are listed several times, so that a loop over runs is worth beginning.
constexpr Index kRunsTogether = 256;

/// Bytes of a run from which its lines are worth writing past the caches.
constexpr Bytes kLongRun = 256;

struct Read {
  static void copy(std::byte* array, std::byte* message, std::size_t bytes) {
    move_bytes(message, array, static_cast<Bytes>(bytes));
  }
};

struct Write {
  static void copy(std::byte* array, const std::byte* message, std::size_t bytes) {
    move_bytes(array, message, static_cast<Bytes>(bytes));
  }
  /// The processor foresees lines that follow each other, but not those beyond a gap.
  static constexpr std::size_t kAhead = 1;  ///< runs
  static void look_ahead(std::byte* array, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; i += kCacheLine) __builtin_prefetch(array + i, 1);
  }
};

struct WriteLong {
  static void copy(std::byte* array, const std::byte* message, std::size_t bytes) {
    streaming_copy(array, message, bytes);
  }
  static constexpr std::size_t kAhead = 4;
  static void look_ahead(std::byte* array, std::size_t bytes) { streaming_soon(array, bytes); }
};

/// The first `count` runs, which the compiler turns into a few instructions each, whole ones of
/// `kLength` bytes; 0: of `length` bytes.
template <class Copy, Bytes kLength>
void move_runs_of(std::byte* array, std::span<const Bytes> begins, std::size_t count,
                  std::byte* message, Bytes length) {
  const auto bytes = static_cast<std::size_t>(kLength > 0 ? kLength : length);
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (kLength == 0 && requires { Copy::kAhead; }) {
      const std::size_t ahead = i + Copy::kAhead;
      if (ahead < begins.size()) Copy::look_ahead(array + begins[ahead], bytes);
    }
    Copy::copy(array + begins[i], message + i * bytes, bytes);
  }
}

template <class Copy>
void move_runs(std::byte* array, std::span<const Bytes> begins, std::size_t count,
               std::byte* message, Bytes length) {
  switch (length) {
#define SHUNT_RUNS_OF(bytes) \
  case bytes:                \
    return move_runs_of<Copy, bytes>(array, begins, count, message, length)
    SHUNT_RUNS_OF(4);
    SHUNT_RUNS_OF(8);
    SHUNT_RUNS_OF(12);
    SHUNT_RUNS_OF(16);
    SHUNT_RUNS_OF(24);
    SHUNT_RUNS_OF(32);
    SHUNT_RUNS_OF(48);
    SHUNT_RUNS_OF(64);
    SHUNT_RUNS_OF(96);
    SHUNT_RUNS_OF(128);
#undef SHUNT_RUNS_OF
    default:
      return move_runs_of<Copy, 0>(array, begins, count, message, length);
  }
}

template <class Copy, Bytes kElement>
void move_elements_of(std::byte* array, Bytes stride, Index count, std::byte* message,
                      Bytes element) {
  const auto bytes = static_cast<std::size_t>(kElement > 0 ? kElement : element);
  for (Index i = 0; i < count; ++i, message += bytes)
    Copy::copy(array + i * stride, message, bytes);
}

/// Elements that lie `stride` bytes apart in the array.
template <class Copy>
void move_elements(std::byte* array, Bytes stride, Index count, std::byte* message, Bytes element) {
  switch (element) {
    case 4:
      return move_elements_of<Copy, 4>(array, stride, count, message, element);
    case 8:
      return move_elements_of<Copy, 8>(array, stride, count, message, element);
    case 16:
      return move_elements_of<Copy, 16>(array, stride, count, message, element);
    default:
      return move_elements_of<Copy, 0>(array, stride, count, message, element);
  }
}

}  // namespace

Bytes Box::bytes() const {
  Bytes bytes = element;
  for (const BoxAxis& axis : axes) bytes *= axis.runs->count();
  return bytes;
}

BoxCursor::BoxCursor(const Box& box) : element_(box.element), stride_(box.axes.back().stride) {
  const AxisRuns& runs = *box.axes.back().runs;
  Index all_runs = 0;
  for (const RepeatedRuns& part : runs.parts()) {
    const auto listed = static_cast<Index>(part.runs.size());
    const Index together = std::clamp(kRunsTogether / listed, Index{1}, part.repeats);
    add_line(part, 0, together, part.repeats / together);
    if (const Index rest = part.repeats % together; rest > 0) {
      add_line(part, part.repeats - rest, rest, 1);
    }
    all_runs += listed * part.repeats;
  }
  average_run_ = stride_ == element_ ? runs.count() * element_ / all_runs : element_;
  for (std::size_t k = 0; k + 1 < box.axes.size(); ++k) outer_.emplace_back(box.axes[k]);
  find_base();
}

void BoxCursor::add_line(const RepeatedRuns& part, Index first, Index runs_together,
                         Index repeats) {
  Line line{{}, {}, 0, repeats, part.shift * runs_together * stride_};
  for (Index k = first; k < first + runs_together; ++k) {
    for (const LocalRun& run : part.runs) {
      line.begins.push_back((run.begin + k * part.shift) * stride_);
      line.lengths.push_back(run.length * element_);
    }
  }
  line.length = line.lengths.front();
  if (std::ranges::count(line.lengths, line.length) == std::ssize(line.lengths)) {
    line.lengths.clear();
  }
  lines_.push_back(std::move(line));
}

void BoxCursor::rewind() {
  for (AxisCursor& axis : outer_) axis.rewind();
  line_ = 0;
  repeat_ = 0;
  run_ = 0;
  done_ = 0;
  find_base();
}

void BoxCursor::read(const std::byte* array, std::byte* message, Bytes bytes) {
  // Nothing is written there.
  move<Read>(const_cast<std::byte*>(array), message, bytes);
}

void BoxCursor::write(std::byte* array, const std::byte* message, Bytes bytes, bool streaming) {
  // Nothing is written there.
  auto* const unchanged = const_cast<std::byte*>(message);
  if (!streaming || average_run_ < kLongRun) {
    move<Write>(array, unchanged, bytes);
    return;
  }
  move<WriteLong>(array, unchanged, bytes);
  streaming_done();
}

void BoxCursor::update(std::byte* array, const std::byte* message, Bytes bytes,
                       const ElementUpdate& elements) {
  while (bytes > 0) {
    const Bytes length = run_length();
    const Bytes some = std::min(bytes, length - done_);
    elements(array + run_begin() + done_ / element_ * stride_, stride_, message, some / element_);
    message += some;
    bytes -= some;
    done_ += some;
    if (done_ == length) next_run();
  }
}

template <class Copy>
void BoxCursor::move(std::byte* array, std::byte* message, Bytes bytes) {
  while (bytes > 0) {
    const Line& line = lines_[line_];
    const Bytes length = run_length();
    if (done_ == 0 && bytes >= length && stride_ == element_ && line.lengths.empty()) {
      const auto begins = std::span(line.begins).subspan(run_);
      const std::size_t count = std::min(begins.size(), static_cast<std::size_t>(bytes / length));
      move_runs<Copy>(array + base_ + repeat_ * line.shift, begins, count, message, length);
      const Bytes moved = static_cast<Bytes>(count) * length;
      message += moved;
      bytes -= moved;
      run_ += count - 1;
      next_run();
    } else {
      const Bytes some = std::min(bytes, length - done_);
      move_part<Copy>(array + run_begin(), message, some);
      message += some;
      bytes -= some;
      done_ += some;
      if (done_ == length) next_run();
    }
  }
}

template <class Copy>
void BoxCursor::move_part(std::byte* run, std::byte* message, Bytes bytes) const {
  if (stride_ == element_) {
    Copy::copy(run + done_, message, static_cast<std::size_t>(bytes));
    return;
  }
  std::byte* at = run + done_ / element_ * stride_;
  // A piece of a message may end within an element, and the next one begin there.
  if (const Bytes within = done_ % element_; within > 0) {
    const Bytes rest = std::min(bytes, element_ - within);
    Copy::copy(at + within, message, static_cast<std::size_t>(rest));
    message += rest;
    bytes -= rest;
    at += stride_;
  }
  const Index whole = bytes / element_;
  move_elements<Copy>(at, stride_, whole, message, element_);
  Copy::copy(at + whole * stride_, message + whole * element_,
             static_cast<std::size_t>(bytes % element_));
}

BoxCursor::Stretch BoxCursor::stretch() const {
  if (stride_ == element_) return {run_begin() + done_, run_length() - done_};
  const Bytes within = done_ % element_;
  return {run_begin() + done_ / element_ * stride_ + within, element_ - within};
}

void BoxCursor::skip(Bytes bytes) {
  done_ += bytes;
  if (done_ == run_length()) next_run();
}

void BoxCursor::next_run() {
  done_ = 0;
  if (++run_ < lines_[line_].begins.size()) return;
  run_ = 0;
  if (++repeat_ < lines_[line_].repeats) return;
  repeat_ = 0;
  if (++line_ < lines_.size()) return;
  line_ = 0;
  next_line();
}

void BoxCursor::next_line() {
  for (std::size_t k = outer_.size(); k-- > 0;) {
    if (outer_[k].advance()) break;
  }
  find_base();
}

void BoxCursor::find_base() {
  base_ = 0;
  for (const AxisCursor& axis : outer_) base_ += axis.offset();
}

void BoxCursor::AxisCursor::rewind() {
  part_ = 0;
  repeat_ = 0;
  run_ = 0;
  within_ = 0;
  place();
}

bool BoxCursor::AxisCursor::advance() {
  const std::vector<RepeatedRuns>& parts = axis_.runs->parts();
  if (++within_ < parts[part_].runs[run_].length) {
    offset_ += axis_.stride;
    return true;
  }
  within_ = 0;
  if (++run_ == parts[part_].runs.size()) {
    run_ = 0;
    if (++repeat_ == parts[part_].repeats) {
      repeat_ = 0;
      if (++part_ == parts.size()) part_ = 0;
    }
  }
  place();
  return part_ + run_ > 0 || repeat_ > 0;
}

void BoxCursor::AxisCursor::place() {
  const RepeatedRuns& part = axis_.runs->parts()[part_];
  offset_ = (part.runs[run_].begin + repeat_ * part.shift + within_) * axis_.stride;
}

}  // namespace shunt
