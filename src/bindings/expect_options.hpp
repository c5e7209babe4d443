// The rules for what a caller chooses.
#pragma once

#include "shunt/options.hpp"

namespace shunt {

/// Throws Error(argument), with a sentence, for a field of `options` that breaks its rule; whether
/// there is such an algorithm is found out where it is made.
void expect_options(const Options& options);

}  // namespace shunt
