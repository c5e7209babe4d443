#include "bindings/c/usable.hpp"

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt::c {

namespace {

void expect_algorithm(const Environment& environment, Context& context, bool broadcast) {
  const Options& options = broadcast ? environment.broadcast : environment.options;
  try {
    if (broadcast) {
      context.schedules.expect_broadcast(options.algorithm);
    } else {
      (void)context.schedules.find(options.algorithm, options);
    }
  } catch (const Error& error) {
    throw Error(error.kind(),
                fmt::format("{} is \"{}\": {}", broadcast ? "SHUNT_ALLGATHER" : "SHUNT_ALGORITHM",
                            options.algorithm, error.what()));
  }
}

}  // namespace

[[gnu::hot]] void expect_usable(const Environment& environment, Context& context, bool broadcast) {
  if (!environment.faults.empty()) [[unlikely]]
    expect_readable(environment);
  const Asked asked = broadcast ? environment.asked_broadcast : environment.asked;
  if (asked == Asked::algorithm) expect_algorithm(environment, context, broadcast);
}

}  // namespace shunt::c
