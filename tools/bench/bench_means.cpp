#include "tools/bench/bench_means.hpp"

#include <cmath>

namespace shunt {

void BenchMeans::add(const std::vector<bench::Result>& results) { add(results, ""); }

void BenchMeans::add(const std::vector<bench::Result>& results, const std::string& contest) {
  means_.resize(results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    Mean& mean = means_[i];
    if (contests_ == 0 || results[i].native_ratio < mean.of.native_ratio) {
      mean.of = results[i];
      mean.worst = contest;
    }
    mean.logarithms += std::log(results[i].native_ratio);
  }
  ++contests_;
}

Table BenchMeans::table() const {
  const bool named = !means_.empty() && !means_.front().worst.empty();
  std::vector<Column> columns{{"algorithm", Align::left},
                              {"mode", Align::left},
                              {"form", Align::left},
                              {"native/this, geometric mean"}};
  if (named) columns.insert(columns.end(), {{"least"}, {"in", Align::left}});
  Table table(columns);
  for (const Mean& mean : means_) {
    std::vector<Cell> row{mean.of.algorithm, mean.of.mode, mean.of.form,
                          rounded(std::exp(mean.logarithms / contests_), 2)};
    if (named) row.insert(row.end(), {rounded(mean.of.native_ratio, 2), mean.worst});
    table.add(row);
  }
  return table;
}

}  // namespace shunt
