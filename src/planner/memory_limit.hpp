// Keeps exchanges within a limit of memory: which algorithms fit, and into how many parts an
// exchange is divided.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "context/context.hpp"
#include "cost/expected_time.hpp"
#include "engine/block_parts.hpp"
#include "model/configuration.hpp"
#include "planner/trials.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// What all ranks know of an exchange that may be made in parts.
struct AgreedParts {
  TrafficBound traffic;  ///< of all parts together
  Bytes packed_sides;    ///< of the rank that packs most
  Bytes unit;
  bool fit_ints;  ///< whether MPI's ints suffice for any part of them on all ranks

  /// Bytes that packing takes for parts within `part`.
  [[nodiscard]] Bytes packing(const TrafficBound& part) const {
    return packed_sides * part.largest_load;
  }
};

/// Collective: one reduction.
[[nodiscard]] AgreedParts agree_on(const Context& context, const BlockParts& parts);

/// Bytes of buffers of this rank for an exchange within a bound; what grows with the traffic.
using BufferBound = std::function<Bytes(const TrafficBound&)>;

/// The bound on buffers for each grain; none: there are no buffers.
using BoundsWithGrain = std::function<BufferBound(Bytes grain)>;

/// How an exchange is made: its parts, and the grain (Options::grain) with which they are cut.
struct Division {
  Parts parts;
  Bytes grain;
};

/// The least number of parts, of at least a grain of the longest block each, with which buffers and
/// packing are within the limit of `options` on all ranks. The grain is that of `options` if that
/// can be; a finer one makes the bounds of algorithms that spread blocks tighter. Collective: one
/// reduction a grain, but none without buffers. Throws Error(argument) on all ranks where nothing
/// helps; it names `algorithm`.
[[nodiscard]] Division divide(const Context& context, const Options& options,
                              const AgreedParts& agreed, const std::string& algorithm,
                              const BoundsWithGrain& buffers);

/// What a choice among configurations has to know of the limit.
struct Fitting {
  /// Whether the buffers of the candidates that are left, at most `together` at the same time, fit
  /// together with blocks to try them with.
  bool trials_fit;
  std::vector<LeftOut> left_out;
};

/// An exchange for which configurations are weighed.
struct Weighed {
  TrafficBound traffic;  ///< equal on all ranks
  CallForm form;
  Bytes packing = 0;  ///< bytes of packed copies on this rank
};

/// Collective where there is a limit, by one reduction: takes from `candidates` those that do not
/// fit. What needs no buffers always does: packed copies can be made part by part.
[[nodiscard]] Fitting fit(Context& context, const Options& options, const Weighed& weighed,
                          std::vector<Configuration>& candidates,
                          std::size_t together = std::numeric_limits<std::size_t>::max());

}  // namespace shunt
