#include "lab/traffic/source_patterns.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/expect_error.hpp"

namespace shunt {
namespace {

/// The array with '#' at the sources, row by row.
std::string picture(std::string_view pattern, Rank count, const char* shape) {
  const Extents array = Extents::parse(shape);
  const std::vector<Rank> sources = place_sources(pattern, {.array = array, .count = count});
  std::string text;
  for (Rank rank = 0; rank < array.ranks(); ++rank) {
    if (rank > 0 && rank % array.extent(1) == 0) text += ' ';
    text += std::ranges::binary_search(sources, rank) ? '#' : '.';
  }
  return text;
}

// Fig. 1.
TEST(SourcePatterns, AreThoseOfTheFigure) {
  const std::string full = "##########";
  const std::string none = "..........";
  EXPECT_EQ(picture("row", 30, "10x10"), full + " " + none + " " + none + " " + full + " " + none +
                                             " " + none + " " + full + " " + none + " " + none +
                                             " " + none);
  const std::string both = "#....#....";
  const std::string one = "#.........";
  EXPECT_EQ(picture("cross", 30, "10x10"), full + " " + both + " " + both + " " + one + " " + one +
                                               " " + full + " " + one + " " + one + " " + one +
                                               " " + one);
  EXPECT_EQ(picture("right-diagonal", 30, "10x10"),
            "#..#..#... .#..#..#.. ..#..#..#. ...#..#..# #...#..#.. .#...#..#. ..#...#..# "
            "#..#...#.. .#..#...#. ..#..#...#");
}

TEST(SourcePatterns, OfSmallArraysAreAsDrawn) {
  EXPECT_EQ(picture("row", 5, "3x4"), "#### #... ....");
  EXPECT_EQ(picture("column", 5, "3x4"), "#.#. #.#. #...");
  EXPECT_EQ(picture("equal", 5, "3x4"), "#.#. #..# .#..");
  EXPECT_EQ(picture("right-diagonal", 5, "3x4"), "#.#. .#.# ..#.");
  EXPECT_EQ(picture("left-diagonal", 5, "3x4"), ".#.# #.#. .#..");
  EXPECT_EQ(picture("band", 5, "2x4"), "###. .#.#");
  EXPECT_EQ(picture("cross", 3, "3x4"), "##.. #... ....");
  EXPECT_EQ(picture("square-block", 5, "3x4"), "##.. ##.. #...");
}

TEST(SourcePatterns, AreKnownByTheirLettersToo) {
  const std::map<std::string, std::string> names{{"R", "row"},
                                                 {"C", "column"},
                                                 {"E", "equal"},
                                                 {"Dr", "right-diagonal"},
                                                 {"Dl", "left-diagonal"},
                                                 {"B", "band"},
                                                 {"Cr", "cross"},
                                                 {"Sq", "square-block"}};
  std::set<std::string> different;
  for (const auto& [letter, name] : names) {
    EXPECT_EQ(picture(letter, 9, "4x6"), picture(name, 9, "4x6")) << letter;
    different.insert(picture(name, 9, "4x6"));
  }
  EXPECT_EQ(different.size(), names.size());
  for (const SourcePattern& pattern : source_patterns()) {
    EXPECT_EQ(names.contains(std::string(pattern.letter)), pattern.name != "random")
        << pattern.name;
  }
  test::expect_error(ErrorKind::argument, "there is no distribution \"\" of sources",
                     [] { (void)place_sources("", {.array = Extents({4}), .count = 1}); });
}

TEST(SourcePatterns, HaveAsManySourcesAsAskedForOnAnyArray) {
  for (const char* shape : {"1x1", "7", "1x7", "7x1", "2x9", "9x2", "4x4", "5x3", "6x10"}) {
    const Extents array = Extents::parse(shape);
    for (const SourcePattern& pattern : source_patterns()) {
      for (Rank count = 0; count <= array.ranks(); ++count) {
        std::vector<Rank> sources = place_sources(pattern.name, {.array = array, .count = count});
        ASSERT_EQ(std::ssize(sources), count) << pattern.name << " " << shape;
        ASSERT_TRUE(std::ranges::adjacent_find(sources, std::greater_equal{}) == sources.end())
            << pattern.name << " " << shape << " " << count;
        if (count > 0) {
          ASSERT_GE(sources.front(), 0);
          ASSERT_LT(sources.back(), array.ranks()) << pattern.name << " " << shape;
        }
      }
    }
  }
}

TEST(SourcePatterns, RefuseWhatTheyCannotPlace) {
  const auto refuse = [](const char* name, const char* shape, Rank count) {
    return [=] { (void)place_sources(name, {.array = Extents::parse(shape), .count = count}); };
  };
  test::expect_error(ErrorKind::argument, "there is no distribution \"rows\" of sources",
                     refuse("rows", "3x4", 1));
  test::expect_error(ErrorKind::argument,
                     "the sources are placed on 3x4x2, but must be on an array of at most two",
                     refuse("row", "3x4x2", 1));
  test::expect_error(ErrorKind::argument, "the number of sources is 13, but must be from 0 to 12",
                     refuse("row", "3x4", 13));
}

}  // namespace
}  // namespace shunt
