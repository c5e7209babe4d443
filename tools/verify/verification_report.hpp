// How `shunt verify` says what it found.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/common/table.hpp"

namespace shunt {

/// What was checked, and what of it is wrong.
struct VerificationReport {
  const char* format;
  const char* name;  ///< of the table, in JSON
  Table table;
  std::vector<std::string> violations;
  std::string summary;
};

/// Prints the report: as JSON, or the table, whatever `print_details` prints, the first violations
/// and the summary. Throws FoundWrong if there are violations.
void print_report(const VerificationReport& report, bool json,
                  const std::function<void()>& print_details);

}  // namespace shunt
