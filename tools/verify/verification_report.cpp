#include "tools/verify/verification_report.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/common/options.hpp"
#include "tools/common/output_file.hpp"

namespace shunt {

namespace {

constexpr std::size_t kPrintedViolations = 20;

void print_violations(const std::vector<std::string>& violations) {
  for (std::size_t i = 0; i < std::min(violations.size(), kPrintedViolations); ++i) {
    fmt::print("{}\n", violations[i]);
  }
  if (violations.size() > kPrintedViolations) {
    fmt::print("... and {} more\n", violations.size() - kPrintedViolations);
  }
}

}  // namespace

void print_report(const VerificationReport& report, bool json,
                  const std::function<void()>& print_details) {
  if (json) {
    const nlohmann::json document = {{report.name, report.table.json()},
                                     {"violations", report.violations},
                                     {"summary", report.summary}};
    print_json({report.format}, document);
  } else {
    fmt::print("{}", report.table.text());
    print_details();
    print_violations(report.violations);
    fmt::print("{}\n", report.summary);
  }
  if (!report.violations.empty()) throw FoundWrong();
}

}  // namespace shunt
