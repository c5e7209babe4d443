#include "support/edge_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "support/spread.hpp"

namespace shunt::example {
namespace {

const ShuffleResult* find_result(const EdgeReport& report, ExchangeKind kind,
                                 const std::string& method) {
  const auto found = std::ranges::find_if(report.results, [&](const ShuffleResult& result) {
    return result.kind == kind && result.method == method;
  });
  return found == report.results.end() ? nullptr : &*found;
}

/// How many times as fast as MPI's own collective, which has no plans.
double ratio_to_native(const EdgeReport& report, const ShuffleResult& result) {
  const ExchangeKind kind =
      result.kind == ExchangeKind::plan ? ExchangeKind::one_shot : result.kind;
  return spread_of(find_result(report, kind, kNative)->seconds).median /
         spread_of(result.seconds).median;
}

std::string cells_of(const EdgeReport& report, ExchangeKind kind, const std::string& method) {
  const ShuffleResult* result = find_result(report, kind, method);
  if (result == nullptr) return "";
  const Spread spread = spread_of(result->seconds);
  const auto ms = [](double seconds) { return number_text(seconds * 1e3, 2, 7); };
  return fmt::format("{:>9}{:>17}{:>7}", ms(spread.median),
                     ms(spread.least) + ".." + ms(spread.most),
                     number_text(ratio_to_native(report, *result), 2, 6));
}

/// The first column; a name that is too long for it has a line of its own.
std::string in_first_column(const std::string& name) {
  constexpr std::size_t kWidth = 14;
  if (name.size() >= kWidth) return name + "\n" + std::string(kWidth, ' ');
  return fmt::format("{:<{}}", name, kWidth);
}

/// Two kinds of exchange side by side.
std::string table_of(const EdgeReport& report, ExchangeKind left, const char* left_heading,
                     ExchangeKind right, const char* right_heading) {
  std::string text =
      in_first_column("") + fmt::format("{:>33}{:>33}\n", left_heading, right_heading);
  text += in_first_column("method") + fmt::format("{:>9}{:>17}{:>7}{:>9}{:>17}{:>7}\n", "ms",
                                                  "min..max", "ratio", "ms", "min..max", "ratio");
  for (const ShuffleResult& result : report.results) {
    if (result.kind != left) continue;
    text += in_first_column(result.method) + cells_of(report, left, result.method) +
            cells_of(report, right, result.method) + "\n";
  }
  return text;
}

}  // namespace

std::string text_of(const EdgeReport& report) {
  const Bytes mean = report.loads.total / report.ranks;
  std::string text = fmt::format(
      "{} edges of {} bytes on {} rank{}: {} a rank on average,\n"
      "at most {} sent by a rank, {} received by a rank, {} in a block.\n"
      "ms: median, least and most of {} round{}, each that of the slowest rank.\n"
      "ratio: how many times as fast as native, MPI_Alltoallv.\n\n",
      report.loads.total, report.edge_bytes, report.ranks, plural(report.ranks), mean,
      report.loads.most_sent, report.loads.most_received, report.loads.longest_block,
      report.results.front().seconds.size(), plural(report.results.front().seconds.size()));
  text += "Records in any order (native: count, sort, MPI_Alltoall, MPI_Alltoallv)\n";
  text += table_of(report, ExchangeKind::by_function, "destination by a function",
                   ExchangeKind::by_ranks, "one rank per record");
  text += "\nOrdered blocks, counts known (native: MPI_Alltoallv)\n";
  text += table_of(report, ExchangeKind::one_shot, "one exchange", ExchangeKind::plan,
                   "plan, executed again");
  if (!report.auto_plan.empty()) text += "auto planned " + report.auto_plan + "\n";
  return text + fmt::format("\nverified {} exchange{}, {} wrong byte{}\n", report.verified,
                            plural(report.verified), report.wrong_bytes,
                            plural(report.wrong_bytes));
}

std::string json_text_of(const EdgeReport& report) {
  constexpr const char* kKinds[] = {"records by function", "records by ranks", "blocks",
                                    "blocks, planned"};
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const ShuffleResult& result : report.results) {
    const Spread spread = spread_of(result.seconds);
    results.push_back({{"exchange", kKinds[static_cast<std::size_t>(result.kind)]},
                       {"method", result.method},
                       {"median_seconds", spread.median},
                       {"least_seconds", spread.least},
                       {"most_seconds", spread.most},
                       {"native_over_this", ratio_to_native(report, result)}});
  }
  const nlohmann::ordered_json document = {
      {"format", "shunt-edge-shuffle"},
      {"version", 1},
      {"ranks", report.ranks},
      {"edges", report.loads.total},
      {"edge_bytes", report.edge_bytes},
      {"most_edges_sent_by_a_rank", report.loads.most_sent},
      {"most_edges_received_by_a_rank", report.loads.most_received},
      {"edges_of_the_longest_block", report.loads.longest_block},
      {"results", results},
      {"verified_exchanges", report.verified},
      {"wrong_bytes", report.wrong_bytes}};
  return document.dump(2);
}

}  // namespace shunt::example
