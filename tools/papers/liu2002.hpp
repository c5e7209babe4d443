// What Section 4 of Liu 2002 compares, and on what.
#pragma once

#include <utility>

#include "model/loads.hpp"
#include "shunt/types.hpp"

namespace shunt::liu2002 {

/// Table 1: start-up time and time per byte; the bytes of an element; the machine that `shunt
/// simulate` has for it.
struct Platform {
  const char* name;
  const char* machine;
  LinkCost cost;
  int element;
};

inline constexpr Platform kPlatforms[] = {{"T3D", "t3d", {38e-6, 0.043e-6, 0}, 48},
                                          {"SP2", "sp2", {44e-6, 0.035e-6, 0}, 22}};

/// The names in the paper and those in Shunt.
inline constexpr std::pair<const char*, const char*> kPatterns[] = {{"Pattern 1", "pattern1"},
                                                                    {"Pattern 2", "pattern2"}};
inline constexpr std::pair<const char*, const char*> kAlgorithms[] = {
    {"A1", "linear"}, {"A2", "two-stage"}, {"A3", "row-column"}, {"A4", "four-stage"}};

inline constexpr Rank kRanks = 64;      ///< Figs. 16, 18 to 22
inline constexpr Bytes kShortest = 64;  ///< M_max there, in elements
inline constexpr Bytes kLongest = 4096;

}  // namespace shunt::liu2002
