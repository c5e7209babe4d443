// Means over many contests between one set of contestants.
#pragma once

#include <string>
#include <vector>

#include "lab/bench/contest.hpp"
#include "tools/common/table.hpp"

namespace shunt {

/// Ratios to the first contestant over all contests, as geometric means by algorithm, mode and
/// form.
class BenchMeans {
 public:
  /// Adds the results of a contest without a name.
  void add(const std::vector<bench::Result>& results);

  /// Adds the results of a contest with a name, by which the worst contest is told.
  void add(const std::vector<bench::Result>& results, const std::string& contest);

  /// Returns the means as a table, with a column for the worst contest if contests have names.
  [[nodiscard]] Table table() const;

  [[nodiscard]] int contests() const { return contests_; }

 private:
  struct Mean {
    bench::Result of;  ///< whose ratio is the worst
    double logarithms = 0;
    std::string worst;
  };
  std::vector<Mean> means_;
  int contests_ = 0;
};

}  // namespace shunt
