// How --help looks.
#pragma once

#include <memory>

// NOLINTBEGIN(readability-identifier-naming): the name is theirs.
namespace CLI {
class FormatterBase;
}  // namespace CLI
// NOLINTEND(readability-identifier-naming)

namespace shunt {

/// As CLI11 prints help, but with all lines on the page.
[[nodiscard]] std::shared_ptr<CLI::FormatterBase> help_for_page();

}  // namespace shunt
