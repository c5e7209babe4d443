#include "model/distribution_text.hpp"

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
    letters += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return letters;
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

}  // namespace

BlockCyclic parse_distribution(std::string_view text, Index extent) {
  if (extent < 1) {
    throw Error(ErrorKind::argument,
                fmt::format("a dimension has 1 or more indices, not {}", extent));
  }
  const std::string letters = plain(text);
  if (letters == "*") return {extent, extent, 1};
  constexpr std::string_view kOnto = "onto";
  const std::size_t onto = letters.find(kOnto);
  if (onto != std::string::npos) {
    const auto places = parse_number<Rank>(std::string_view(letters).substr(onto + kOnto.size()));
    if (places && *places > 0) {
      const auto block = block_of(std::string_view(letters).substr(0, onto), extent, *places);
      if (block) return {extent, *block, *places};
    }
  }
  throw Error(ErrorKind::argument,
              fmt::format("the distribution \"{}\" is not understood; it must be as \"CYCLIC(6) "
                          "onto 4\", \"CYCLIC onto 4\", \"BLOCK onto 4\" or \"*\"",
                          text));
}

}  // namespace shunt
