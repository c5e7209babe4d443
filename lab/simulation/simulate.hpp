// How long an exchange or an all-gather takes on a machine that one does not have: the pure model's
// simulator.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "algorithms/allgather.hpp"
#include "lab/simulation/port_machine.hpp"
#include "lab/simulation/timeline.hpp"
#include "lab/traffic/traffic.hpp"

namespace shunt {

/// What became of one stage. Messages are those that are sent, without those to oneself.
struct SimulatedStage {
  double seconds = 0;  ///< until the last rank is done and has copied
  std::int64_t messages = 0;
  Bytes longest_message = 0;
  Bytes largest_load = 0;  ///< the most that a rank receives, what it keeps included
};

struct SimulatedExchange {
  double seconds = 0;
  std::vector<SimulatedStage> stages;
  Timeline timeline;  ///< its transfers only where they were asked for
};

enum class Transfers {
  forget,
  keep  ///< at most kMostTransfers of them
};

inline constexpr std::int64_t kMostTransfers = 1'000'000;

/// Follows every block of `traffic`, in elements of `element` bytes, as a plan's messages would
/// take it: no lengths, no tables of contents, nothing for empty messages. All ranks begin each
/// stage together, at no cost; a message to oneself is a copy.
///
/// Copies: an algorithm of one stage copies what a rank has for itself. Any other copies what a
/// rank has received, in every stage, and before the first what is packed from several pieces. On
/// ports where messages are posted at once a rank copies what it has for itself meanwhile.
///
/// Throws Error(argument) where the machine is none for these ranks, and where there are too many
/// blocks, pieces or steps to follow.
[[nodiscard]] SimulatedExchange simulate(const Algorithm& algorithm, const Traffic& traffic,
                                         Bytes element, const PortMachine& machine,
                                         Transfers transfers = Transfers::forget);

/// Follows the exchange of Open MPI's "basic linear" all-to-all: each rank posts a receive from all
/// others and a message to all others, in the order of their ranks, also those that are empty.
/// Throws Error(argument) where the machine is none for these ranks, or its messages are not posted
/// at once.
[[nodiscard]] SimulatedExchange simulate_linear(const Traffic& traffic, Bytes element,
                                                const PortMachine& machine);

/// Follows an all-gather, as the function above follows an exchange. An all-gather copies nothing:
/// what a rank receives arrives in its place, and is sent on from there. On a torus a message goes
/// forward where both ways are equally long.
[[nodiscard]] SimulatedExchange simulate(const Allgather& allgather, const PortMachine& machine,
                                         Transfers transfers = Transfers::forget);

/// A complete exchange of blocks of `block` bytes on up to millions of ranks, by the symmetry of
/// the algorithm (see `EvenFlow` for how exact it is) on a flat machine or a torus. Throws
/// Error(argument) where algorithm and machine have no symmetry in common.
[[nodiscard]] SimulatedExchange simulate_even(const Algorithm& algorithm, Bytes block,
                                              const PortMachine& machine);

}  // namespace shunt
