// What stands after the colon in an algorithm's name, and the names that a registry has.
#pragma once

#include <algorithm>
#include <string_view>

#include "algorithms/surroundings.hpp"
#include "model/machine.hpp"
#include "model/parse.hpp"
#include "shunt/error.hpp"

namespace shunt {

/// Returns the positive number that the text is. Throws Error(argument), naming `what`, where it is
/// none.
[[nodiscard]] Rank positive_number(std::string_view text, std::string_view what);

/// Returns `usual` where there is no text, else `positive_number`.
[[nodiscard]] Rank number_or(Rank usual, std::string_view text, std::string_view what);

/// Throws Error(argument) where the text is not empty.
void expect_no_parameter(std::string_view parameter);

/// The array of `ranks` ranks that the text gives; without a text that of the surroundings, or else
/// a nearly square one of two multiples of `multiple`. Throws Error(argument) where it has other
/// ranks; `what` says what kind of array it is.
[[nodiscard]] Extents array_or_usual(std::string_view text, Rank ranks, Rank multiple,
                                     const Surroundings& surroundings, std::string_view what);

/// The entry of `registry` whose name or alias stands before the colon in `name`; the end if there
/// is none. What stands after the colon is left in `name`.
template <class Registry>
[[nodiscard]] auto find_entry(const Registry& registry, std::string_view& name) {
  const std::string_view family = take_until(':', name);
  return std::ranges::find_if(registry, [&](const auto& entry) {
    return entry.name == family || (entry.alias == family && !family.empty());
  });
}

/// Calls `visit` for each example of the entry; an Error by which `visit` says that a restriction
/// is not met is ignored.
template <class Entry, class Visit>
void for_each_example(const Entry& entry, const Visit& visit) {
  std::string_view rest = entry.examples;
  while (!rest.empty()) {
    try {
      visit(take_until(' ', rest));
    } catch (const Error&) {
      // The restriction is not met on this number of ranks.
    }
  }
}

}  // namespace shunt
