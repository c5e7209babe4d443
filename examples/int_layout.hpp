// Counts and displacements as MPI_Alltoallv wants them.
#pragma once

#include <vector>

#include "shunt/shunt.hpp"

namespace shunt::example {

struct IntLayout {
  explicit IntLayout(const Layout& layout)
      : counts(layout.counts.begin(), layout.counts.end()),
        displacements(layout.displacements.begin(), layout.displacements.end()) {}

  std::vector<int> counts;
  std::vector<int> displacements;
};

}  // namespace shunt::example
