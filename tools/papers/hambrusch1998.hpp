// What Hambrusch 1998 compares, and on what; and what it claims of that.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/allgather.hpp"
#include "lab/picture/line_chart.hpp"
#include "model/loads.hpp"
#include "model/sources.hpp"
#include "shunt/types.hpp"
#include "tools/papers/reproduction.hpp"

namespace shunt::hambrusch1998 {

/// Intel Paragon: start-up time and time per byte.
inline constexpr LinkCost kParagon{75e-6, 0.011e-6, 0};
/// The names in the paper and those in Shunt.
inline constexpr std::pair<const char*, const char*> kFive[] = {
    {"2-Step", "gather-broadcast"},
    {"PersAlltoAll", "direct"},
    {"Br_Lin", "recursive-halving"},
    {"Br_xy_source", "halving-by-source"},
    {"Br_xy_dim", "halving-by-shape"}};
inline constexpr std::size_t kFirstBr = 2;  ///< index in kFive of the first Br algorithm
/// Distributions for which repositioning is tried.
inline constexpr const char* kMoved[] = {"Cr", "Sq", "E", "B"};

/// Sources in the paper's terms: "Cr" of `count` blocks of `length` bytes on an array.
struct Case {
  const char* letter;
  Rank count;
  Bytes length;
  const char* array;
};

[[nodiscard]] Sources sources_of(const Case& of);

/// `name` on the case's array, if it takes one.
[[nodiscard]] std::unique_ptr<Allgather> made(const std::string& name, const Case& of);

/// What that takes on one port a rank.
[[nodiscard]] double seconds(const std::string& name, const Case& of);

/// How much longer than by Repos_xy_source it takes without repositioning, in percent of the
/// longer.
[[nodiscard]] double gain(const Case& of);

/// What can be counted from schedules, and followed on one port a rank: Fig. 3, by sources, and
/// Fig. 4, by length, are given.
[[nodiscard]] std::vector<Claim> claims(const LineChart& by_sources, const LineChart& by_length);

/// Returns the claims about simulated figures. Figs. 11(a), 11(b) and 12 are of 2-Step alone.
[[nodiscard]] std::vector<Claim> claims_on_figures_3_and_5(const Panel& by_sources,
                                                           const Panel& by_ranks);
[[nodiscard]] std::vector<Claim> claims_on_figure_8(const LineChart& chart);
[[nodiscard]] std::vector<Claim> claims_on_figure_9(const LineChart& chart);
[[nodiscard]] std::vector<Claim> claims_on_the_t3d(const LineChart& by_ranks,
                                                   const LineChart& by_problem,
                                                   const LineChart& same_total,
                                                   const LineChart& by_sources);

}  // namespace shunt::hambrusch1998
