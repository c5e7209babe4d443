// Which layouts of an array the command is about.
#pragma once

#include <string>

#include "shunt/array_layout.hpp"
#include "tools/common/options.hpp"

namespace shunt {

/// An array and its two layouts, in the words of High Performance Fortran.
struct LayoutOptions {
  std::string from;  ///< a distribution; empty: none was given
  std::string to;
  std::string shape;
  bool column_major = false;  ///< places are numbered column by column

  /// Adds --from, which `help` begins to explain, and what goes with it; returns --from.
  Option add_to(Command command, const std::string& help);

  /// Place k of a grid is rank k. Throw Error(argument) where the words are not understood.
  [[nodiscard]] ArrayLayout layout_from() const { return layout(from); }
  [[nodiscard]] ArrayLayout layout_to() const { return layout(to); }

 private:
  [[nodiscard]] ArrayLayout layout(const std::string& distribution) const;
};

}  // namespace shunt
