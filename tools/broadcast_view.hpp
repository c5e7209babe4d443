// What a broadcast does, stage by stage, for a distribution of its sources.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "algorithms/broadcast.hpp"

namespace shunt {

/// The names of all distributions of sources, four on a line.
[[nodiscard]] std::string source_pattern_names();

/// Which ranks have a block for everyone.
struct SourceOptions {
  std::string sources;  ///< "equal:30"; empty: no broadcast is asked for
  std::string array;    ///< "10x10"; empty: nearly square
  Bytes length = 1024;

  /// Returns the option that asks for a broadcast.
  CLI::Option* add_to(CLI::App& command);

  /// Throws Error(argument) where these are not understood, or the ranks are too many to show.
  [[nodiscard]] Sources make(Rank ranks) const;

  /// The array that was asked for, if one was.
  [[nodiscard]] std::optional<Extents> given_array() const;
};

/// The broadcast `name` of these sources, on `machine` if that is not null; all of it, or what
/// `rank` has to do.
class BroadcastView {
 public:
  BroadcastView(const std::string& name, const SourceOptions& options, Rank ranks,
                const std::shared_ptr<const Machine>& machine, std::optional<Rank> rank);

  [[nodiscard]] std::string text() const;
  [[nodiscard]] nlohmann::json json() const;

 private:
  std::unique_ptr<Broadcast> broadcast_;
  std::optional<Rank> rank_;
};

}  // namespace shunt
