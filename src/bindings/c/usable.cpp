#include "bindings/c/usable.hpp"

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt::c {

namespace {

void expect_algorithm(const Environment& environment, Context& context, bool allgather) {
  const Options& options = allgather ? environment.allgather : environment.options;
  try {
    if (allgather) {
      context.schedules.expect_allgather(options.algorithm);
    } else {
      (void)context.schedules.find(options.algorithm, options);
    }
  } catch (const Error& error) {
    throw Error(error.kind(),
                fmt::format("{} is \"{}\": {}", allgather ? "SHUNT_ALLGATHER" : "SHUNT_ALGORITHM",
                            options.algorithm, error.what()));
  }
}

}  // namespace

[[gnu::hot]] void expect_usable(const Environment& environment, Context& context, bool allgather) {
  if (!environment.faults.empty()) [[unlikely]]
    expect_readable(environment);
  const Asked asked = allgather ? environment.asked_allgather : environment.asked;
  if (asked == Asked::algorithm) expect_algorithm(environment, context, allgather);
}

}  // namespace shunt::c
