#include "bindings/c/environment.hpp"

#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bindings/block_calls.hpp"
#include "model/parse.hpp"
#include "model/way_text.hpp"
#include "shunt/error.hpp"

namespace shunt::c {

namespace {

/// Empty if the variable is not set.
std::string value_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

bool read_switch(const char* variable, std::vector<std::string>& faults) {
  const std::string value = value_of(variable);
  if (!value.empty() && value != "0" && value != "1") {
    faults.push_back(fmt::format("{} is \"{}\"; it is 0 or 1", variable, value));
  }
  return value == "1";
}

Effort read_effort(const std::string& name, std::vector<std::string>& faults) {
  for (const Effort effort : kEfforts) {
    if (name == name_of(effort)) return effort;
  }
  faults.push_back(
      fmt::format("SHUNT_EFFORT is \"{}\"; it is one of estimate, measure and patient", name));
  return Effort::measure;
}

void expect_algorithm(const Environment& environment, YardState& yard, bool broadcast) {
  const Options& options = broadcast ? environment.broadcast : environment.options;
  try {
    if (broadcast) {
      yard.expect_broadcast(options.algorithm);
    } else {
      (void)yard.schedule(options.algorithm, options);
    }
  } catch (const Error& error) {
    throw Error(error.kind(),
                fmt::format("{} is \"{}\": {}", broadcast ? "SHUNT_BROADCAST" : "SHUNT_ALGORITHM",
                            options.algorithm, error.what()));
  }
}

Asked asked_by(const Options& options) {
  if (options.algorithm == kAuto) return Asked::automatic;
  return options.algorithm == kNative ? Asked::native : Asked::algorithm;
}

}  // namespace

Environment read_environment() {
  Environment result;
  if (const std::string way = value_of("SHUNT_ALGORITHM"); !way.empty()) {
    try {
      result.options = read_way(way, result.options);
    } catch (const Error& error) {
      result.faults.push_back(fmt::format("SHUNT_ALGORITHM: {}", error.what()));
    }
  }

  const std::string broadcast = value_of("SHUNT_BROADCAST");
  if (!broadcast.empty()) result.broadcast.algorithm = broadcast;

  const std::string mode = value_of("SHUNT_MODE");
  bool known = mode.empty();
  for (const Mode candidate : {Mode::blocking, Mode::single_buffer, Mode::dual_buffer}) {
    if (mode != name_of(candidate)) continue;
    result.options.mode = candidate;
    result.broadcast.mode = candidate;
    known = true;
  }
  if (!known) {
    result.faults.push_back(
        fmt::format("SHUNT_MODE is \"{}\"; it is one of blocking, single and dual", mode));
  }

  if (const std::string packet = value_of("SHUNT_PACKET"); !packet.empty()) {
    result.options.packet = parse_number<Bytes>(packet).value_or(-1);
    if (result.options.packet < 0) {
      result.faults.push_back(
          fmt::format("SHUNT_PACKET is \"{}\"; it is a number of bytes, or 0", packet));
    }
  }

  if (const std::string effort = value_of("SHUNT_EFFORT"); !effort.empty()) {
    result.options.effort = read_effort(effort, result.faults);
    result.broadcast.effort = result.options.effort;
  }

  // The planner reads it; here it is only looked at.
  (void)read_switch("SHUNT_LEARN", result.faults);

  if (const std::string memory = value_of("SHUNT_MEMORY"); !memory.empty()) {
    const std::optional<Bytes> limit = parse_bytes(memory);
    if (limit) {
      result.options.memory = *limit;
      result.broadcast.memory = *limit;
    } else {
      result.faults.push_back(fmt::format(
          "SHUNT_MEMORY is \"{}\"; it is a number of bytes, with K, M or G behind it for 2^10, "
          "2^20 or 2^30 of them, or 0",
          memory));
    }
  }

  if (const std::string warm_up = value_of("SHUNT_WARM_UP"); !warm_up.empty()) {
    constexpr double kMillisecond = 1e-3;
    const std::optional<Bytes> read = parse_number<Bytes>(warm_up);
    if (read && *read >= 0) {
      result.warm_up = kMillisecond * static_cast<double>(*read);
    } else {
      result.faults.push_back(
          fmt::format("SHUNT_WARM_UP is \"{}\"; it is a number of milliseconds, or 0", warm_up));
    }
  }

  result.asked = asked_by(result.options);
  result.asked_broadcast = asked_by(result.broadcast);
  result.check = read_switch("SHUNT_CHECK", result.faults);
  result.disabled = read_switch("SHUNT_DISABLE", result.faults);
  result.verbose = read_switch("SHUNT_VERBOSE", result.faults);
  result.statistics = value_of("SHUNT_STATS");
  result.trace = value_of("SHUNT_TRACE");
  return result;
}

void expect_readable(const Environment& environment) {
  if (environment.faults.empty()) return;
  throw Error(ErrorKind::argument, fmt::format("{}", fmt::join(environment.faults, "; and ")));
}

[[gnu::hot]] void expect_usable(const Environment& environment, YardState& yard, bool broadcast) {
  if (!environment.faults.empty()) [[unlikely]]
    expect_readable(environment);
  const Asked asked = broadcast ? environment.asked_broadcast : environment.asked;
  if (asked == Asked::algorithm) expect_algorithm(environment, yard, broadcast);
}

}  // namespace shunt::c
