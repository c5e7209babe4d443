// What the times of a grid say: the regret of "auto" and how it compares with MPI's own, as tables.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/bench/grid_cells.hpp"
#include "tools/common/model_error.hpp"
#include "tools/common/table.hpp"

namespace shunt {

/// A cell and what follows from its times. Ratios that are no finite numbers above 0, as of times
/// that are 0, count nowhere.
struct GridVerdict {
  const GridJob* job;
  const GridCell* cell;
  double auto_us;
  double regret;        ///< as `bench::regret_of` has it
  double plain_regret;  ///< by the medians of all rounds
  double native_ratio;  ///< MPI's own over "auto": the median of the ratios in each round
  double plain_native_ratio;
};

/// Refers to the jobs, which outlive it.
class GridReport {
 public:
  explicit GridReport(const std::vector<GridJob>& jobs);

  /// Mean and worst of each ratio, over all cells and by form, as an array of objects; and how far
  /// the model is off, if it has said anything.
  [[nodiscard]] nlohmann::json summary() const;

  /// All tables, with one of every cell if that is asked for.
  [[nodiscard]] std::string text(bool every_cell) const;

 private:
  using Verdicts = std::vector<GridVerdict>;

  /// A row for each number of ranks, load and form in a place.
  [[nodiscard]] Table groups() const;
  [[nodiscard]] Table cells(const Verdicts& verdicts) const;
  [[nodiscard]] Verdicts most_regretted() const;
  void compare_with_model(const GridWay& way);
  [[nodiscard]] Table totals() const;
  void add_totals(Table& table, const char* ratio, const std::string& form,
                  double GridVerdict::*value) const;
  [[nodiscard]] std::string name_of(const GridVerdict& verdict) const;

  const std::vector<GridJob>& jobs_;
  ModelError error_;
  ModelError bounds_error_;
  Verdicts verdicts_;
  std::vector<std::string> forms_;
  bool one_place_ = true;
};

}  // namespace shunt
