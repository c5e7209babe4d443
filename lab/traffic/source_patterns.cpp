#include "lab/traffic/source_patterns.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "lab/traffic/draws.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

Rank ceiling(Bytes dividend, Bytes divisor) {
  return static_cast<Rank>((dividend + divisor - 1) / divisor);
}

/// Where the k-th of `count` evenly spaced ones out of `size` is.
Rank spaced(Rank k, Rank size, Rank count) { return static_cast<Rank>(Bytes{k} * size / count); }

/// Sources on an r x c array, one after the other; as many as are wanted, no place twice.
class Placing {
 public:
  explicit Placing(const SourceShape& shape)
      : rows_(shape.array.dimensions() == 1 ? 1 : shape.array.extent(0)),
        columns_(shape.array.ranks() / rows_),
        count_(shape.count),
        is_taken_(static_cast<std::size_t>(shape.array.ranks()), false) {}

  [[nodiscard]] Rank rows() const { return rows_; }
  [[nodiscard]] Rank columns() const { return columns_; }
  [[nodiscard]] Rank count() const { return count_; }
  [[nodiscard]] Rank missing() const { return count_ - static_cast<Rank>(placed_.size()); }

  /// A column is taken modulo the number of columns.
  void place(Rank row, Bytes column) {
    const Bytes wrapped = (column % columns_ + columns_) % columns_;
    const auto rank = static_cast<Rank>(Bytes{row} * columns_ + wrapped);
    if (missing() == 0 || is_taken_[static_cast<std::size_t>(rank)]) return;
    is_taken_[static_cast<std::size_t>(rank)] = true;
    placed_.push_back(rank);
  }

  [[nodiscard]] std::vector<Rank> placed() { return std::move(placed_); }

 private:
  Rank rows_;
  Rank columns_;
  Rank count_;
  std::vector<bool> is_taken_;
  std::vector<Rank> placed_;
};

std::vector<Rank> row(const SourceShape& shape) {
  Placing placing(shape);
  const Rank lines = ceiling(placing.count(), placing.columns());
  for (Rank k = 0; k < lines; ++k) {
    for (Rank y = 0; y < placing.columns(); ++y) placing.place(spaced(k, placing.rows(), lines), y);
  }
  return placing.placed();
}

std::vector<Rank> column(const SourceShape& shape) {
  Placing placing(shape);
  const Rank lines = ceiling(placing.count(), placing.rows());
  for (Rank k = 0; k < lines; ++k) {
    for (Rank x = 0; x < placing.rows(); ++x) placing.place(x, spaced(k, placing.columns(), lines));
  }
  return placing.placed();
}

std::vector<Rank> equal(const SourceShape& shape) {
  std::vector<Rank> sources;
  for (Rank k = 0; k < shape.count; ++k) {
    sources.push_back(spaced(k, shape.array.ranks(), shape.count));
  }
  return sources;
}

/// Diagonals that lead to the right or to the left, spaced evenly, with wrap-around.
std::vector<Rank> diagonals(const SourceShape& shape, bool to_the_right) {
  Placing placing(shape);
  const Rank lines = ceiling(placing.count(), placing.rows());
  for (Rank k = 0; k < lines; ++k) {
    for (Rank x = 0; x < placing.rows(); ++x) {
      const Bytes aside = Bytes{x} + spaced(k, placing.columns(), lines);
      placing.place(x, to_the_right ? aside : placing.columns() - 1 - aside);
    }
  }
  return placing.placed();
}

std::vector<Rank> right_diagonal(const SourceShape& shape) { return diagonals(shape, true); }
std::vector<Rank> left_diagonal(const SourceShape& shape) { return diagonals(shape, false); }

std::vector<Rank> band(const SourceShape& shape) {
  Placing placing(shape);
  const Rank bands = ceiling(placing.columns(), placing.rows());
  for (Rank width = 0; width < placing.columns(); ++width) {
    for (Rank k = 0; k < bands; ++k) {
      for (Rank x = 0; x < placing.rows(); ++x) {
        placing.place(x, Bytes{x} + spaced(k, placing.columns(), bands) + width);
      }
    }
  }
  return placing.placed();
}

std::vector<Rank> cross(const SourceShape& shape) {
  Placing placing(shape);
  const Rank rows = ceiling(placing.count(), 2 * Bytes{placing.columns()});
  // Where one row would take them all, half of them are enough, unless there is no other row.
  const bool one_row = rows == 1 && placing.count() <= placing.columns() && placing.rows() > 1;
  const Rank in_row = one_row ? ceiling(placing.count(), 2) : placing.columns();
  std::vector<bool> is_full(static_cast<std::size_t>(placing.rows()), false);
  for (Rank k = 0; k < rows; ++k) {
    const Rank x = spaced(k, placing.rows(), rows);
    is_full[static_cast<std::size_t>(x)] = true;
    for (Rank y = 0; y < in_row; ++y) placing.place(x, y);
  }
  if (placing.missing() == 0) return placing.placed();
  const Rank columns = ceiling(placing.missing(), placing.rows() - rows);
  for (Rank k = 0; k < columns; ++k) {
    for (Rank x = 0; x < placing.rows(); ++x) {
      if (is_full[static_cast<std::size_t>(x)]) continue;
      placing.place(x, spaced(k, placing.columns(), columns));
    }
  }
  return placing.placed();
}

std::vector<Rank> square_block(const SourceShape& shape) {
  Placing placing(shape);
  Rank side = 1;
  while (Bytes{side} * side < placing.count()) ++side;
  Rank height = std::min(side, placing.rows());
  if (ceiling(placing.count(), height) > placing.columns()) {
    height = ceiling(placing.count(), placing.columns());
  }
  for (Rank k = 0; k < placing.count(); ++k) placing.place(k % height, k / height);
  return placing.placed();
}

std::vector<Rank> random(const SourceShape& shape) {
  std::vector<Rank> sources;
  for (Rank k = 0; k < shape.count; ++k) {
    sources.push_back(
        static_cast<Rank>(permute(shape.seed, static_cast<std::uint64_t>(shape.array.ranks()),
                                  static_cast<std::uint64_t>(k))));
  }
  return sources;
}

constexpr std::array kSourcePatterns{
    SourcePattern{"row", "R", "evenly spaced rows, the last one maybe not full", row},
    SourcePattern{"column", "C", "evenly spaced columns, the last one maybe not full", column},
    SourcePattern{"equal", "E", "evenly spaced in the order of the ranks", equal},
    SourcePattern{"right-diagonal", "Dr", "evenly spaced diagonals to the right", right_diagonal},
    SourcePattern{"left-diagonal", "Dl", "evenly spaced diagonals to the left", left_diagonal},
    SourcePattern{"band", "B", "diagonal bands, one for every r columns", band},
    SourcePattern{"cross", "Cr", "about half of them in rows, the others in columns", cross},
    SourcePattern{"square-block", "Sq", "a square in the first corner", square_block},
    SourcePattern{"random", "", "anywhere", random},
};

}  // namespace

std::span<const SourcePattern> source_patterns() { return kSourcePatterns; }

std::vector<Rank> place_sources(std::string_view name, const SourceShape& shape) {
  const auto* const pattern = std::ranges::find_if(kSourcePatterns, [&](const SourcePattern& of) {
    return of.name == name || (of.letter == name && !name.empty());
  });
  if (pattern == kSourcePatterns.end()) {
    throw Error(ErrorKind::argument,
                fmt::format("there is no distribution \"{}\" of sources", name));
  }
  if (shape.array.dimensions() > 2) {
    throw Error(ErrorKind::argument, fmt::format("the sources are placed on {}, but must be on an "
                                                 "array of at most two dimensions",
                                                 shape.array.name()));
  }
  if (shape.count < 0 || shape.count > shape.array.ranks()) {
    throw Error(ErrorKind::argument,
                fmt::format("the number of sources is {}, but must be from 0 to {}", shape.count,
                            shape.array.ranks()));
  }
  if (shape.count == 0) return {};
  std::vector<Rank> sources = pattern->place(shape);
  std::ranges::sort(sources);
  return sources;
}

Sources with_equal_blocks(Rank ranks, std::span<const Rank> sources, Bytes length) {
  std::vector<Bytes> lengths(static_cast<std::size_t>(ranks), 0);
  for (const Rank source : sources) {
    if (source < 0 || source >= ranks) {
      throw Error(ErrorKind::rank,
                  fmt::format("source {} is not a rank between 0 and {}", source, ranks - 1));
    }
    lengths[static_cast<std::size_t>(source)] = length;
  }
  return Sources(std::move(lengths));
}

}  // namespace shunt
