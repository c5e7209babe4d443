// Numbers and words from text, without locale and without surprises.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

namespace shunt {

/// The number that `text` is from its first to its last character; nothing where it is none or
/// does not fit into a `Number`.
template <class Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

/// The number of bytes that `text` is: a whole number, with K, M or G behind it for 2^10, 2^20 or
/// 2^30 of them. Nothing where it is none, is negative, or does not fit.
[[nodiscard]] inline std::optional<std::int64_t> parse_bytes(std::string_view text) {
  constexpr std::string_view kUnits = "KMG";
  int shift = 0;
  if (!text.empty() && kUnits.find(text.back()) != std::string_view::npos) {
    shift = 10 * (static_cast<int>(kUnits.find(text.back())) + 1);
    text.remove_suffix(1);
  }
  const auto number = parse_number<std::int64_t>(text);
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  if (!number || *number < 0 || *number > kMost >> shift) return std::nullopt;
  return *number << shift;
}

/// A letter of A to Z as a small one; any other character as it is.
[[nodiscard]] constexpr char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Takes the next word, delimited by blanks or tabs, off the front of `text`; empty at its end.
[[nodiscard]] inline std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(" \t"));
  text.remove_prefix(word.size());
  return word;
}

/// Takes what precedes the next `separator`, and the separator, off the front of `text`.
[[nodiscard]] inline std::string_view take_until(char separator, std::string_view& text) {
  const std::string_view part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

}  // namespace shunt
