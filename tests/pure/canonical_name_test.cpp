#include "algorithms/canonical_name.hpp"

#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "algorithms/allgather_registry.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/registry.hpp"
#include "model/sources.hpp"

namespace shunt {
namespace {

/// The example with the entry's alias in the place of its name.
template <class Entry>
std::string by_alias(const Entry& entry, std::string_view example) {
  return std::string(entry.alias).append(example.substr(entry.name.size()));
}

TEST(CanonicalName, HasNoNameOrAliasTwice) {
  std::set<std::string_view> seen;
  const auto enter = [&](std::string_view word) { EXPECT_TRUE(seen.insert(word).second) << word; };
  const auto enter_all = [&](const auto& registry) {
    for (const auto& entry : registry) {
      enter(entry.name);
      if (!entry.alias.empty()) enter(entry.alias);
    }
  };
  enter_all(algorithm_registry());
  enter_all(allgather_registry());
  for (const char* word : {"auto", "native", ""}) enter(word);
}

TEST(CanonicalName, OfEachAliasMakesTheSameAlgorithm) {
  int aliases = 0;
  for (const AlgorithmEntry& entry : algorithm_registry()) {
    if (entry.alias.empty()) continue;
    ++aliases;
    for_each_example(entry, [&](std::string_view example) {
      const std::string alias = by_alias(entry, example);
      EXPECT_TRUE(has_alias(alias)) << alias;
      EXPECT_EQ(canonical_name(alias), example);
      const auto made = make_algorithm(example, 16, 512);
      EXPECT_EQ(make_algorithm(alias, 16, 512)->name(), made->name()) << alias;
    });
  }
  EXPECT_EQ(aliases, 14);
}

TEST(CanonicalName, OfEachAliasMakesTheSameAllgather) {
  const Sources sources(std::vector<Bytes>(16, 100));
  int aliases = 0;
  for (const AllgatherEntry& entry : allgather_registry()) {
    ASSERT_FALSE(entry.alias.empty()) << entry.name;
    ++aliases;
    for_each_example(entry, [&](std::string_view example) {
      const std::string alias = by_alias(entry, example);
      EXPECT_TRUE(is_allgather(alias)) << alias;
      EXPECT_EQ(canonical_name(alias), example);
      const auto made = make_allgather(example, sources);
      EXPECT_EQ(make_allgather(alias, sources)->name(), made->name()) << alias;
    });
  }
  EXPECT_EQ(aliases, 20);
}

TEST(CanonicalName, KeepsWhatFollows) {
  EXPECT_EQ(canonical_name("a1 shared=once"), "linear shared=once");
  EXPECT_EQ(canonical_name("collect:4x4\tgrain=8"), "grid:4x4\tgrain=8");
  EXPECT_EQ(canonical_name("br-xy-dim:2x8"), "halving-by-shape:2x8");
  EXPECT_EQ(make_algorithm("radix:5", 16, 1)->name(), "bruck:5");
  EXPECT_EQ(make_algorithm("hierarchical-factor:printed", 16, 1)->name(), "node-pairwise:printed");
}

/// "ring" is an all-gather, and so no alias of torus-ring.
TEST(CanonicalName, IsTheTextWhereThereIsNoAlias) {
  for (const char* text : {"linear", "four-stage mode=single", "auto", "native", "", " ", ":",
                           "ring", "a5", "a1x", "A1", "stages:3x2"}) {
    EXPECT_FALSE(has_alias(text)) << text;
    EXPECT_EQ(canonical_name(text), text);
  }
}

}  // namespace
}  // namespace shunt
