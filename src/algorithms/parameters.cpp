#include "algorithms/parameters.hpp"

#include <fmt/format.h>

namespace shunt {

Rank positive_number(std::string_view text, std::string_view what) {
  const auto value = parse_number<Rank>(text);
  if (!value || *value < 1) {
    throw Error(ErrorKind::argument,
                fmt::format("the {} is \"{}\", not a positive number", what, text));
  }
  return *value;
}

Rank number_or(Rank usual, std::string_view text, std::string_view what) {
  return text.empty() ? usual : positive_number(text, what);
}

void expect_no_parameter(std::string_view parameter) {
  if (parameter.empty()) return;
  throw Error(ErrorKind::argument,
              fmt::format("\"{}\" follows the name of an algorithm without parameter", parameter));
}

Extents array_or_usual(std::string_view text, Rank ranks, Rank multiple,
                       const Surroundings& surroundings, std::string_view what) {
  const auto given = text.empty() ? surroundings.torus() : Extents::parse(text);
  Extents array = given ? *given : Extents::nearly_square(ranks, multiple);
  if (array.ranks() != ranks) {
    throw Error(ErrorKind::argument, fmt::format("{} is {} of {} ranks, not of {}", array.name(),
                                                 what, array.ranks(), ranks));
  }
  return array;
}

}  // namespace shunt
