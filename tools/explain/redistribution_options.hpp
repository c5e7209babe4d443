// Which redistribution `shunt explain` is about.
#pragma once

#include <string>

#include "tools/common/layout_options.hpp"
#include "tools/common/options.hpp"
#include "tools/explain/redistribution_view.hpp"

namespace shunt {

struct RedistributionOptions {
  LayoutOptions layouts;
  std::string by_length;  ///< "sorted", "matched"; empty: lengths do not matter

  /// Adds --from and what goes with it; returns --from.
  Option add_to(Command command);

  [[nodiscard]] bool given() const { return !layouts.from.empty(); }
  /// Throws Error(argument) where the options are not understood, and as RedistributionView does.
  [[nodiscard]] RedistributionView view() const;
};

}  // namespace shunt
