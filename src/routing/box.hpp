// Elements of a local array that lie on a grid: the product of runs along each dimension. They are
// read into messages, and written from them, piece by piece.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "routing/axis_runs.hpp"
#include "shunt/element_update.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// One dimension of a box.
struct BoxAxis {
  std::shared_ptr<const AxisRuns> runs;
  Bytes stride;  ///< from one local index to the next, in bytes
};

/// Elements on a grid of an array. Their order in a message is that of the axes, the last one
/// fastest.
struct Box {
  std::vector<BoxAxis> axes;  ///< at least one
  Bytes element;              ///< bytes

  [[nodiscard]] Bytes bytes() const;
};

/// Walks through the memory of a box in the order of its elements. The array is given to each call,
/// so that one cursor serves arrays that lie elsewhere each time. Keeps O(runs of the last axis).
class BoxCursor {
 public:
  explicit BoxCursor(const Box& box);

  void rewind();

  /// Moves the next `bytes` bytes of the box, which has at least that many left: `read` from the
  /// array into a message, `write` from a message into the array, past the caches where `streaming`
  /// is set and runs are long.
  void read(const std::byte* array, std::byte* message, Bytes bytes);
  void write(std::byte* array, const std::byte* message, Bytes bytes, bool streaming = false);

  /// Combines the next `bytes` bytes of the box, whole elements, with those of the message by
  /// `elements`.
  void update(std::byte* array, const std::byte* message, Bytes bytes,
              const ElementUpdate& elements);

  /// Bytes that follow each other in the array.
  struct Stretch {
    Bytes offset;
    Bytes length;
  };
  /// Returns the bytes that come next, up to the next gap; the box is not at its end.
  [[nodiscard]] Stretch stretch() const;
  /// Skips `bytes` bytes, at most those of `stretch()`.
  void skip(Bytes bytes);

  /// Whether the stretches are so short that moving them one by one costs more than copying twice.
  [[nodiscard]] bool is_fine() const { return average_run_ < kFine; }

 private:
  static constexpr Bytes kFine = 1024;

  /// Runs of the last axis.
  struct Line {
    std::vector<Bytes> begins;   ///< offsets in the array, in bytes
    std::vector<Bytes> lengths;  ///< in bytes; none if they are all `length`
    Bytes length;
    Index repeats;
    Bytes shift;  ///< in bytes
  };
  /// Where one of the other axes is.
  class AxisCursor {
   public:
    explicit AxisCursor(const BoxAxis& axis) : axis_(axis) { rewind(); }
    void rewind();
    /// False where the axis begins again.
    bool advance();
    [[nodiscard]] Bytes offset() const { return offset_; }

   private:
    BoxAxis axis_;
    std::size_t part_ = 0;
    Index repeat_ = 0;
    std::size_t run_ = 0;
    Index within_ = 0;
    Bytes offset_ = 0;

    void place();
  };

  void add_line(const RepeatedRuns& part, Index first, Index runs_together, Index repeats);
  [[nodiscard]] Bytes run_length() const {
    const Line& line = lines_[line_];
    return line.lengths.empty() ? line.length : line.lengths[run_];
  }
  [[nodiscard]] Bytes run_begin() const {
    const Line& line = lines_[line_];
    return base_ + repeat_ * line.shift + line.begins[run_];
  }
  template <class Copy>
  void move(std::byte* array, std::byte* message, Bytes bytes);
  /// Moves `bytes` bytes within a run.
  template <class Copy>
  void move_part(std::byte* run, std::byte* message, Bytes bytes) const;
  void next_run();
  void next_line();
  void find_base();

  Bytes element_;
  Bytes stride_;  ///< of the last axis; not `element_` where elements lie apart
  Bytes average_run_ = 0;
  std::vector<Line> lines_;
  std::vector<AxisCursor> outer_;
  Bytes base_ = 0;  ///< offset of the line, by the outer axes
  std::size_t line_ = 0;
  Index repeat_ = 0;
  std::size_t run_ = 0;
  Bytes done_ = 0;  ///< bytes of the run that are done, as in a message
};

}  // namespace shunt
