// How an exchange is made, and what that is called where it is printed, remembered or typed in.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "shunt/options.hpp"

namespace shunt {

/// Options whose algorithm was chosen: a name with its parameters, or kNative, but never kAuto. All
/// of it decides how an exchange is made.
using Configuration = Options;

/// Returns the options `asked`, with this algorithm.
[[nodiscard]] Configuration with_algorithm(std::string_view algorithm, const Options& asked);

/// Returns the options `asked` with each of these algorithms.
[[nodiscard]] std::vector<Configuration> with_algorithms(const std::vector<std::string>& algorithms,
                                                         const Options& asked);

/// Appends those of `more` that `known` does not have.
template <class T>
void append_new(const std::type_identity_t<std::vector<T>>& more, std::vector<T>& known) {
  for (const T& each : more) {
    if (std::ranges::find(known, each) == known.end()) known.push_back(each);
  }
}

/// Returns the algorithm, and what of the configuration differs from what the caller `asked` for:
/// "four-stage", or "four-stage mode=single grain=4096". The keys are mode, grain, packet, messages
/// (those of the window) and shared (inside a node: yes, through memory that ranks share; once,
/// with single copies; no).
[[nodiscard]] std::string configuration_text(const Configuration& configuration,
                                             const Options& asked);

/// Returns `asked` with what the text says. Throws Error(argument) where it cannot be understood;
/// whether there is such an algorithm is not looked at.
[[nodiscard]] Configuration read_configuration(std::string_view text, const Options& asked);

/// Returns all but the algorithm and the effort, where it matters for which configuration is the
/// fastest: "dual, grain 512".
[[nodiscard]] std::string options_text(const Options& options);

}  // namespace shunt
