#include "bench_common.hpp"

namespace shunt {

Table results_table(const std::vector<bench::Result>& results, const std::string& reference) {
  Table table({{"algorithm", Align::left},
               {"mode", Align::left},
               {"form", Align::left},
               {"median us"},
               {"least"},
               {"most"},
               {reference + "/this"}});
  for (const bench::Result& result : results) {
    table.add({result.algorithm, result.mode, result.form, rounded(result.median, 1),
               rounded(result.least, 1), rounded(result.most, 1), rounded(result.native_ratio, 2)});
  }
  return table;
}

}  // namespace shunt
