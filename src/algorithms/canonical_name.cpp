#include "algorithms/canonical_name.hpp"

#include <algorithm>

#include "algorithms/allgather_registry.hpp"
#include "algorithms/registry.hpp"

namespace shunt {

namespace {

/// What stands before the parameter and the options.
std::string_view family_in(std::string_view text) {
  return text.substr(0, text.find_first_of(": \t"));
}

template <class Entry>
std::string_view name_by_alias(std::span<const Entry> registry, std::string_view family) {
  const auto entry = std::ranges::find(registry, family, &Entry::alias);
  return entry == registry.end() ? std::string_view() : entry->name;
}

/// Empty where it is no alias.
std::string_view name_by_alias(std::string_view family) {
  if (family.empty()) return {};
  const std::string_view name = name_by_alias(algorithm_registry(), family);
  return name.empty() ? name_by_alias(allgather_registry(), family) : name;
}

}  // namespace

bool has_alias(std::string_view text) { return !name_by_alias(family_in(text)).empty(); }

std::string canonical_name(std::string_view text) {
  const std::string_view family = family_in(text);
  const std::string_view name = name_by_alias(family);
  if (name.empty()) return std::string(text);
  return std::string(name).append(text.substr(family.size()));
}

}  // namespace shunt
