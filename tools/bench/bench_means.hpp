// What many contests of the same contestants come to.
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
  void add(const std::vector<bench::Result>& results);

  /// The same, where the contests have names by which to tell which one was the worst.
  void add(const std::vector<bench::Result>& results, const std::string& contest);

  /// With a column for the worst contest if these have names.
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
