// The options that ask for an all-gather, and say which ranks have a block for all.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "algorithms/allgather.hpp"
#include "model/machine.hpp"
#include "tools/common/exchange_options.hpp"
#include "tools/common/options.hpp"

namespace shunt {

/// Bytes of a source's block where nothing else is said.
inline constexpr Bytes kUsualLength = 1024;

/// The names of all distributions of sources, four on a line.
[[nodiscard]] std::string source_pattern_names();

/// Which ranks have a block for all ranks.
struct SourceOptions {
  std::string sources;  ///< "equal:30", or one of a trace: "calls.shunt#2"; empty: no allgather is
                        ///< asked for
  std::string array;    ///< "10x10"; empty: nearly square
  std::optional<Bytes> length;  ///< nothing: kUsualLength, or those of the trace

  /// Returns the option that asks for an all-gather.
  Option add_to(Command command);

  /// The all-gather that was asked for, by the algorithm and on the machine of `exchange`; null
  /// where none was. Throws Error(argument) where something is not understood, where the ranks are
  /// too many to show, and where the algorithm is an all-gather but no sources are given.
  [[nodiscard]] std::unique_ptr<Allgather> allgather(const AlgorithmOptions& exchange) const;

  /// The array that was asked for, if one was.
  [[nodiscard]] std::optional<Extents> given_array() const;

  /// Returns the array on which `ranks` ranks are.
  [[nodiscard]] Extents array_of(Rank ranks) const;

 private:
  [[nodiscard]] Sources make(Rank ranks) const;
};

}  // namespace shunt
