// How many calls the benches make before they time those that learn.
#pragma once

#include "tools/common/options.hpp"

namespace shunt {

/// Exchanges by "auto" before any is timed, by when it mostly knows.
inline constexpr int kUsualWarmUp = 400;

/// The option that sets them.
Option add_warm_up(Command command, int& warm_up);

}  // namespace shunt
