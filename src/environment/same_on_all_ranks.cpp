#include "environment/same_on_all_ranks.hpp"

#include <cstddef>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "environment/variables.hpp"
#include "model/hash.hpp"

namespace shunt {

namespace {

std::vector<const Variable*> of_all_ranks() {
  std::vector<const Variable*> found;
  for (const Variable& variable : variables()) {
    if (variable.scope >= Scope::all_or_none) found.push_back(&variable);
  }
  return found;
}

/// Empty where it is not set.
std::string text_of(const Variable& variable) { return value_of(variable).value_or(""); }

/// What the ranks must have alike of the variable.
std::string common_part(const Variable& variable) {
  const std::string text = text_of(variable);
  if (variable.scope == Scope::all_or_none) return text.empty() ? "none" : "set";
  return text.empty() ? variable.unless_set : text;
}

std::int64_t fingerprint(const std::string& text) {
  std::uint64_t bits = text.size();
  for (const char letter : text) bits = hash(bits, static_cast<unsigned char>(letter));
  return static_cast<std::int64_t>(bits >> 1U);
}

std::string sentence_on(const Variable& variable) {
  const std::string text = text_of(variable);
  return fmt::format(
      "{} {}: here it is {}", variable.name,
      variable.scope == Scope::all ? "is not the same on all ranks" : "is set on some ranks only",
      text.empty() ? "not set" : fmt::format("\"{}\"", text));
}

}  // namespace

std::vector<std::int64_t> fingerprints() {
  std::vector<std::int64_t> numbers;
  for (const Variable* variable : of_all_ranks()) {
    numbers.push_back(fingerprint(common_part(*variable)));
  }
  return numbers;
}

std::string sentence_on_differences(std::span<const std::int64_t> least,
                                    std::span<const std::int64_t> most) {
  const std::vector<const Variable*> known = of_all_ranks();
  std::vector<std::string> sentences;
  for (std::size_t k = 0; k < known.size(); ++k) {
    if (least[k] != most[k]) sentences.push_back(sentence_on(*known[k]));
  }
  if (sentences.empty()) return "";
  return fmt::format("{}; `shunt run` hands variables to all ranks",
                     fmt::join(sentences, "; and "));
}

}  // namespace shunt
