// Options as text: what a way to make an exchange is called where more than its algorithm was
// tried.
#pragma once

#include <string>
#include <string_view>

#include "shunt/options.hpp"

namespace shunt {

/// The algorithm, and what of `way` differs from what the caller `asked` for: "a4", or
/// "a4 mode=single grain=4096". The keys are mode, grain, packet, messages (those of the window)
/// and shared (inside a node: yes, through memory that ranks share; once, with single copies; no).
[[nodiscard]] std::string way_text(const Options& way, const Options& asked);

/// `asked` with what the text says. Throws Error(argument) where it cannot be understood; whether
/// there is such an algorithm is not looked at.
[[nodiscard]] Options read_way(std::string_view text, const Options& asked);

/// All but the algorithm and the effort, where it matters for which way is the fastest:
/// "dual, grain 512".
[[nodiscard]] std::string options_text(const Options& options);

}  // namespace shunt
