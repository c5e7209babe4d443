#include "tools/verify/torus_cases.hpp"

#include <fmt/format.h>

namespace shunt {

std::vector<TorusCase> torus_cases(Rank longest) {
  std::vector<TorusCase> cases;
  for (Rank ranks = 1; ranks <= 4 * longest; ++ranks)
    cases.push_back({"torus-ring-pipeline", ranks});
  for (Rank rows = 1; rows <= longest; ++rows) {
    for (Rank columns = 1; columns <= longest; ++columns) {
      const std::string shape = fmt::format(":{}x{}", rows, columns);
      cases.push_back({"torus-split" + shape, rows * columns});
      if (rows % 2 + columns % 2 == 0) {
        cases.push_back({"torus-pipeline" + shape, rows * columns});
      }
      if (rows % 4 + columns % 4 == 0) cases.push_back({"torus" + shape, rows * columns});
    }
  }
  if (longest >= 6) cases.push_back({"torus-split:6x6x6", 216});
  if (longest >= 4) cases.push_back({"torus-split:4x4x4x4", 256});
  return cases;
}

}  // namespace shunt
