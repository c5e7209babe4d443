#include "bindings/c/usable.hpp"

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt::c {

namespace {

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
                fmt::format("{} is \"{}\": {}", broadcast ? "SHUNT_ALLGATHER" : "SHUNT_ALGORITHM",
                            options.algorithm, error.what()));
  }
}

}  // namespace

[[gnu::hot]] void expect_usable(const Environment& environment, YardState& yard, bool broadcast) {
  if (!environment.faults.empty()) [[unlikely]]
    expect_readable(environment);
  const Asked asked = broadcast ? environment.asked_broadcast : environment.asked;
  if (asked == Asked::algorithm) expect_algorithm(environment, yard, broadcast);
}

}  // namespace shunt::c
