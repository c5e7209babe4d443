// What a broadcast does, stage by stage, for a distribution of its sources.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "algorithms/broadcast.hpp"

namespace shunt {

/// All of a broadcast, or what `rank` has to do in it.
class BroadcastView {
 public:
  /// `broadcast` must outlive it. Throws Error(argument) where there is no such rank.
  BroadcastView(const Broadcast& broadcast, std::optional<Rank> rank);

  [[nodiscard]] std::string text() const;
  [[nodiscard]] nlohmann::json json() const;

 private:
  const Broadcast& broadcast_;
  std::optional<Rank> rank_;
};

}  // namespace shunt
