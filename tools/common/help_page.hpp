// How --help looks.
#pragma once

#include <memory>

// NOLINTBEGIN(readability-identifier-naming): the name is theirs.
namespace CLI {
class FormatterBase;
}  // namespace CLI
// NOLINTEND(readability-identifier-naming)

namespace shunt {

/// Returns a formatter that prints help as CLI11 does, but with all lines within the page.
[[nodiscard]] std::shared_ptr<CLI::FormatterBase> help_for_page();

}  // namespace shunt
