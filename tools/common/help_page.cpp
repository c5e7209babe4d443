#include "tools/common/help_page.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "tools/common/page.hpp"

namespace shunt {

namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kFurtherIndent = 6;  ///< of the lines after the first

/// A name with what belongs to it, and what is said of it, which begins at `column`.
std::string entry(const std::string& name, std::string description, std::size_t column) {
  // Where a line ends is decided here.
  std::ranges::replace(description, '\n', ' ');
  std::string text;
  for (const std::string& line : wrapped(name, kPageWidth - kFurtherIndent)) {
    text += std::string(text.empty() ? kIndent : kFurtherIndent, ' ') + line + "\n";
  }
  const bool fits = text.find('\n') + 1 == text.size() && width_of(text) < column;
  if (fits && !description.empty()) text.pop_back();
  std::size_t filled = fits ? width_of(text) : 0;
  for (const std::string& line : wrapped(description, kPageWidth - column)) {
    if (line.empty()) continue;
    text += std::string(column - filled, ' ') + line + "\n";
    filled = 0;
  }
  return text;
}

class PageFormatter : public CLI::Formatter {
 public:
  [[nodiscard]] std::string make_option(const CLI::Option* option,
                                        bool is_positional) const override {
    return entry(make_option_name(option, is_positional) + make_option_opts(option),
                 make_option_desc(option), get_column_width());
  }

  [[nodiscard]] std::string make_subcommand(const CLI::App* command) const override {
    return entry(command->get_name(), command->get_description(), get_column_width());
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_for_page() { return std::make_shared<PageFormatter>(); }

}  // namespace shunt
