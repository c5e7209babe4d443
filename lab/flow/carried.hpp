// Whether an algorithm carries what a traffic has.
#pragma once

#include "algorithms/algorithm.hpp"
#include "lab/traffic/traffic.hpp"

namespace shunt {

/// `traffic` has a block from `source` to `destination`: throws Error(argument) if `algorithm` does
/// not carry it.
void expect_supported(const Algorithm& algorithm, const Traffic& traffic, Rank source,
                      Rank destination);

}  // namespace shunt
