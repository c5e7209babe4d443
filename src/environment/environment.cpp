#include "environment/environment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "environment/variables.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

Asked asked_by(const Options& options) {
  if (options.algorithm == kAuto) return Asked::automatic;
  return options.algorithm == kNative ? Asked::native : Asked::algorithm;
}

}  // namespace

Environment read_environment() {
  Environment result;
  for (const Variable& variable : variables()) {
    if (variable.read == nullptr) continue;
    const std::string value = value_of(variable).value_or("");
    if (value.empty()) continue;
    try {
      variable.read(value, result);
    } catch (const Error& error) {
      result.faults.push_back(fmt::format("{}{}", variable.name, error.what()));
    }
  }
  result.asked = asked_by(result.options);
  result.asked_allgather = asked_by(result.allgather);
  return result;
}

void expect_readable(const Environment& environment) {
  if (environment.faults.empty()) return;
  throw Error(ErrorKind::argument, fmt::format("{}", fmt::join(environment.faults, "; and ")));
}

}  // namespace shunt
