// Finds out which of several plans is the fastest by running them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exchange/planned_exchange.hpp"
#include "model/wisdom.hpp"

namespace shunt {

/// Leaves the choice of the algorithm to Shunt.
inline constexpr const char* kAuto = "auto";

/// The MPI library's own collective, by this name among the candidates.
inline constexpr const char* kNative = "native";

/// The largest load, in bytes of one rank, up to which candidates are tried.
inline constexpr Bytes kLargestTrial = Bytes{16} << 20;

struct PlanChoice {
  std::string algorithm;
  std::vector<Trial> trials;  ///< empty: chosen by prediction alone
};

/// Which of some trials, in any order, decides: the fastest, unless the `preferred` one is nearly
/// as fast.
[[nodiscard]] std::string winner(const std::vector<Trial>& trials, const std::string& preferred);

/// Collective: makes a plan for each candidate and runs them a few times in turn. All ranks get the
/// same choice, from one reduction of the times.
[[nodiscard]] PlanChoice try_plans(
    const YardState& yard, const std::vector<std::string>& candidates, const std::string& preferred,
    const std::function<std::unique_ptr<PlannedExchange>(const std::string&)>& make);

}  // namespace shunt
