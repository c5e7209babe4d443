// A layout as MPI's collectives take it.
#pragma once

#include <vector>

#include "model/narrow.hpp"
#include "shunt/shunt.hpp"

namespace shunt::bench {

struct IntLayout {
  /// `what` the numbers are, if they do not fit.
  IntLayout(const Layout& layout, const char* what)
      : counts(narrow<int>(layout.counts, what)),
        displacements(narrow<int>(layout.displacements, what)) {}

  std::vector<int> counts;
  std::vector<int> displacements;
};

}  // namespace shunt::bench
