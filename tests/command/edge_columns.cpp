// What the edge shuffle prints of times from microseconds to days, by which its columns must not
// run together.
#include <string>

#include <fmt/format.h>

#include "support/edge_report.hpp"

int main() {
  using namespace shunt::example;
  EdgeReport report{.ranks = 1,
                    .edge_bytes = 16,
                    .results = {},
                    .loads = {100, 10, 10, 1},
                    .verified = 1,
                    .wrong_bytes = 0,
                    .auto_plan = ""};
  for (const ExchangeKind kind : {ExchangeKind::by_function, ExchangeKind::by_ranks,
                                  ExchangeKind::one_shot, ExchangeKind::plan}) {
    double seconds = 1e-6;
    report.results.push_back({kind, kNative, {seconds, 98765.4321}});
    for (int k = 0; k < 11; ++k, seconds *= 10) {
      report.results.push_back({kind, fmt::format("a{}", k), {seconds, 9.87654 * seconds}});
      report.results.push_back({kind, fmt::format("b{}", k), {seconds, 98765.4321}});
    }
  }
  fmt::print("{}", text_of(report));
  return 0;
}
