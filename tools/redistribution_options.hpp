// Which redistribution the command is to show.
#pragma once

#include <string>

#include "options.hpp"
#include "redistribution_view.hpp"

namespace shunt {

struct RedistributionOptions {
  std::string from;  ///< a distribution; empty: no redistribution is asked for
  std::string to;
  std::string shape;
  bool column_major = false;  ///< places are numbered column by column
  std::string by_length;      ///< "sorted", "matched"; empty: lengths do not matter

  /// Adds --from and what goes with it; returns --from.
  Option add_to(Command command);

  [[nodiscard]] bool given() const { return !from.empty(); }
  /// Throws Error(argument) where the options are not understood, and as RedistributionView does.
  [[nodiscard]] RedistributionView view() const;
};

}  // namespace shunt
