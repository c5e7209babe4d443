#include "tools/common/page.hpp"

#include <algorithm>
#include <array>
#include <cwchar>

#include <locale.h>

namespace shunt {

namespace {

/// For each kind of Break the characters after which there is one, the blank itself left out.
constexpr std::array<std::string_view, 3> kBreaks{" ", " :,/", " :,/-_"};

/// As long as it lives, this thread's characters are those of UTF-8, whatever the user's are.
class InUtf8 {
 public:
  InUtf8() {
    static const locale_t kUtf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    if (kUtf8 != nullptr) before_ = uselocale(kUtf8);
  }
  ~InUtf8() {
    if (before_ != nullptr) uselocale(before_);
  }
  InUtf8(const InUtf8&) = delete;
  InUtf8& operator=(const InUtf8&) = delete;

 private:
  locale_t before_ = nullptr;
};

std::vector<std::string_view> units_of(std::string_view text, std::size_t level) {
  std::vector<std::string_view> units;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(kBreaks[level]), text.size() - 1) + 1;
    std::string_view unit = text.substr(0, end);
    if (unit.back() == ' ') unit.remove_suffix(1);
    if (!unit.empty()) units.push_back(unit);
    text.remove_prefix(end);
  }
  return units;
}

/// Goes on in the last of `lines`, if there is room.
void wrap(std::string_view text, std::size_t width, std::size_t level,
          std::vector<std::string>& lines) {
  for (const std::string_view unit : units_of(text, level)) {
    const std::string_view gap = level == 0 && !lines.back().empty() ? " " : "";
    if (width_of(lines.back()) + gap.size() + width_of(unit) <= width) {
      lines.back().append(gap).append(unit);
      continue;
    }
    if (!lines.back().empty()) lines.emplace_back();
    if (width_of(unit) <= width || level + 1 == kBreaks.size()) {
      lines.back() = unit;
    } else {
      wrap(unit, width, level + 1, lines);
    }
  }
}

}  // namespace

std::size_t width_of(std::string_view text) {
  const InUtf8 until_then;
  std::size_t width = 0;
  while (!text.empty()) {
    wchar_t character = 0;
    std::mbstate_t state{};
    const std::size_t length = std::mbrtowc(&character, text.data(), text.size(), &state);
    const bool is_character = length > 0 && length <= text.size();
    const int columns = is_character ? wcwidth(character) : -1;
    width += columns < 0 ? 1 : static_cast<std::size_t>(columns);
    text.remove_prefix(is_character ? length : 1);
  }
  return width;
}

std::size_t widest_unit(std::string_view text, Break where) {
  std::size_t widest = 0;
  for (const std::string_view unit : units_of(text, static_cast<std::size_t>(where))) {
    widest = std::max(widest, width_of(unit));
  }
  return widest;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  if (width_of(text) <= width) {
    lines.front() = text;
  } else {
    wrap(text, width, 0, lines);
  }
  return lines;
}

std::string paragraph(std::string_view text) {
  std::string lines;
  for (const std::string& line : wrapped(text, kPageWidth)) lines.append(line).append("\n");
  return lines;
}

}  // namespace shunt
