// Text on a page of 80 columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace shunt {

inline constexpr std::size_t kPageWidth = 80;

/// Columns that UTF-8 takes on a terminal. A byte that is none takes one.
[[nodiscard]] std::size_t width_of(std::string_view text);

/// After what a line may end: between words; in a word that is too long for a line after ":,/"; in
/// a part of one that still is after "-_".
enum class Break { words, parts, hyphens };

/// The widest of what `text` falls into there.
[[nodiscard]] std::size_t widest_unit(std::string_view text, Break where);

/// Returns `text` in lines of at most `width` columns, where that is possible.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// Returns `text` in lines of the page, each with its line end.
[[nodiscard]] std::string paragraph(std::string_view text);

}  // namespace shunt
