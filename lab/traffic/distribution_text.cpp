#include "lab/traffic/distribution_text.hpp"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "model/parse.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// In small letters, without blanks.
std::string plain(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    if (c == ' ' || c == '\t') continue;
    letters += to_lower(c);
  }
  return letters;
}

/// What stands between the separators; a single part if there is none.
std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Positive numbers, as 2x4; nothing where one is not.
template <class Number>
std::optional<std::vector<Number>> extents_of(std::string_view text) {
  std::vector<Number> extents;
  for (const std::string_view part : parts_of(text, 'x')) {
    const auto extent = parse_number<Number>(part);
    if (!extent || *extent < 1) return std::nullopt;
    extents.push_back(*extent);
  }
  return extents;
}

/// The length of the blocks that `format` asks for, nothing where it is not understood.
std::optional<Index> block_of(std::string_view format, Index extent, Rank places) {
  if (format == "block") return (extent - 1) / places + 1;
  if (format == "cyclic") return 1;
  constexpr std::string_view kCyclic = "cyclic(";
  if (!format.starts_with(kCyclic) || !format.ends_with(')')) return std::nullopt;
  format.remove_prefix(kCyclic.size());
  format.remove_suffix(1);
  const auto block = parse_number<Index>(format);
  return block && *block > 0 ? block : std::nullopt;
}

/// A distribution before it is known of which array it is.
struct Formats {
  std::vector<std::string_view> formats;  ///< by dimension
  std::vector<Rank> grid;
};

/// Nothing where the grid is not understood.
std::optional<Formats> split(std::string_view letters) {
  constexpr std::string_view kOnto = "onto";
  Formats split;
  const std::size_t onto = letters.find(kOnto);
  if (onto != std::string_view::npos) {
    const auto grid = extents_of<Rank>(letters.substr(onto + kOnto.size()));
    if (!grid) return std::nullopt;
    split.grid = *grid;
    letters = letters.substr(0, onto);
  }
  if (letters.starts_with('(') && letters.ends_with(')')) {
    letters.remove_prefix(1);
    letters.remove_suffix(1);
  }
  split.formats = parts_of(letters, ',');
  return split;
}

/// The dimensions, given as many formats; nothing where they are not understood.
std::optional<std::vector<BlockCyclic>> dimensions_of(const Formats& split,
                                                      std::span<const Index> shape) {
  std::vector<BlockCyclic> dimensions;
  auto places = split.grid.begin();
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (split.formats[k] == "*") {
      dimensions.push_back({shape[k], shape[k], 1});
      continue;
    }
    if (places == split.grid.end()) return std::nullopt;
    const auto block = block_of(split.formats[k], shape[k], *places);
    if (!block) return std::nullopt;
    dimensions.push_back({shape[k], *block, *places++});
  }
  if (places != split.grid.end()) return std::nullopt;
  return dimensions;
}

}  // namespace

std::vector<Index> parse_shape(std::string_view text) {
  const std::string letters = plain(text);
  auto extents = extents_of<Index>(letters);
  if (extents) return *std::move(extents);
  throw Error(ErrorKind::argument,
              fmt::format("the shape \"{}\" must be positive extents, as 120000 or 8x8", text));
}

std::vector<BlockCyclic> parse_distribution(std::string_view text, std::span<const Index> shape) {
  for (const Index extent : shape) {
    if (extent >= 1) continue;
    throw Error(ErrorKind::argument,
                fmt::format("a dimension has 1 or more indices, not {}", extent));
  }
  const std::string letters = plain(text);
  const auto formats = split(letters);
  if (formats && formats->formats.size() != shape.size()) {
    throw Error(ErrorKind::argument,
                fmt::format("the distribution \"{}\" has {} dimension{}, but the array has {}",
                            text, formats->formats.size(), formats->formats.size() == 1 ? "" : "s",
                            shape.size()));
  }
  auto dimensions = formats ? dimensions_of(*formats, shape) : std::nullopt;
  if (dimensions) return *std::move(dimensions);
  throw Error(ErrorKind::argument,
              fmt::format("the distribution \"{}\" is not understood; it must be as \"CYCLIC(6) "
                          "onto 4\", \"CYCLIC onto 4\", \"BLOCK onto 4\", \"*\" or \"(BLOCK, *, "
                          "CYCLIC(2)) onto 2x4\"",
                          text));
}

BlockCyclic parse_distribution(std::string_view text, Index extent) {
  return parse_distribution(text, std::span(&extent, 1)).front();
}

}  // namespace shunt
