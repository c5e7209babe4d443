// What an all-gather does, stage by stage, for a distribution of its sources.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "algorithms/allgather.hpp"

namespace shunt {

/// All of an all-gather, or what `rank` has to do in it.
class AllgatherView {
 public:
  /// `allgather` must outlive it. Throws Error(argument) where there is no such rank.
  AllgatherView(const Allgather& allgather, std::optional<Rank> rank);

  [[nodiscard]] std::string text() const;
  [[nodiscard]] nlohmann::json json() const;

 private:
  const Allgather& allgather_;
  std::optional<Rank> rank_;
};

}  // namespace shunt
