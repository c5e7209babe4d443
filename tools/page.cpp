#include "page.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

namespace shunt {

namespace {

/// For each kind of Break the characters after which there is one, the blank itself left out.
constexpr std::array<std::string_view, 3> kBreaks{" ", " :,/", " :,/-_"};

/// What takes no column: marks over or under the letter before them, and joiners.
constexpr std::pair<char32_t, char32_t> kNarrow[] = {
    {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},  {0x64b, 0x65f},
    {0x200b, 0x200f}, {0x20d0, 0x20f0}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};

/// What takes two: the scripts of East Asia, and pictures.
constexpr std::pair<char32_t, char32_t> kWide[] = {
    {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},  {0xa960, 0xa97f}, {0xac00, 0xd7a3},
    {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},  {0xffe0, 0xffe6}, {0x1f300, 0x1f64f},
    {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

template <std::size_t count>
bool is_in(const std::pair<char32_t, char32_t> (&ranges)[count], char32_t character) {
  return std::ranges::any_of(ranges, [character](const auto& range) {
    return range.first <= character && character <= range.second;
  });
}

/// Takes the next character off the front of `text`; 0 for a byte that is no UTF-8.
char32_t take_character(std::string_view& text) {
  const auto first = static_cast<std::uint8_t>(text.front());
  const auto leading = static_cast<std::size_t>(std::countl_one(first));
  const std::size_t length = leading == 0 ? 1 : leading;
  char32_t character = first & (0xffU >> (leading + 1));
  bool valid = leading != 1 && leading <= 4 && length <= text.size();
  for (std::size_t i = 1; valid && i < length; ++i) {
    const auto next = static_cast<std::uint8_t>(text[i]);
    valid = next >> 6U == 2;
    character = character << 6U | (next & 0x3fU);
  }
  text.remove_prefix(valid ? length : 1);
  return valid ? character : 0;
}

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
  std::size_t width = 0;
  while (!text.empty()) {
    const char32_t character = take_character(text);
    if (!is_in(kNarrow, character)) width += is_in(kWide, character) ? 2 : 1;
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
