// Where in the program an address is.
#pragma once

#include "interpose/statistics.hpp"

namespace shunt::interpose {

/// The site in terms that hold on all ranks.
[[nodiscard]] Place place_of(const CallSite& site);

}  // namespace shunt::interpose
