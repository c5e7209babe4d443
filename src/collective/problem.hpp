// What a caller wants done. Every interface makes a Problem from its arguments, and nothing below
// knows which interface that was.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "context/context.hpp"
#include "engine/block_exchange.hpp"
#include "engine/block_parts.hpp"
#include "engine/planned_exchange.hpp"
#include "planner/trials.hpp"
#include "shunt/counters.hpp"
#include "shunt/options.hpp"

namespace shunt {

class Collective;

/// One call on one rank, without its buffers. What it refers to outlives it.
struct Problem {
  const Collective& kind;
  const std::shared_ptr<Context>& context;
  /// The caller's options: the algorithm is a name, "auto" or "native".
  const Options& options;
  /// For an alltoallv: bytes of the first message from a rank whose lengths are not known.
  Bytes head_bytes = kHeadBytes;
  /// For an allgatherv: which of the blocks to send is this rank's own.
  std::size_t own = 0;
  /// The root, for a kind that has one.
  Rank root = 0;
};

/// A problem that has been planned, with what is kept from one start to the next.
struct PlannedCollective {
  Options asked;  ///< the caller's
  Configuration configuration;
  std::optional<PlanChoice> choice = {};      ///< none: the caller chose
  std::vector<std::string> stage_names = {};  ///< none of MPI's own
  Bytes parts = 1;                            ///< in which it is made, one after the other
  /// The buffers to pack before each start and to unpack after each end; null where the exchange
  /// does so. They outlive the exchange, which sends and receives what they hold.
  std::unique_ptr<BlockParts> buffers = nullptr;
  std::unique_ptr<PlannedExchange> exchange = nullptr;
};

/// Makes a one-shot call of all that `buffers` give. For "auto" the tuner chooses (`TunedCall`);
/// with Options::memory above 0 the call is made in as many parts as it takes. Collective: one or
/// two reductions come first where memory is limited, and now and then one for "auto". Throws
/// Error(argument) where the algorithm's restriction forbids one of this rank's blocks, and on all
/// ranks where the limit of memory is too low; Error(truncated) where the ranks' counts turn out
/// not to agree.
Counters run_once(const Problem& problem, BlockParts& buffers);

/// Makes a one-shot call by a configuration that is chosen; otherwise as above.
Counters run_configured(const Problem& problem, const Configuration& configuration,
                        BlockParts& buffers);

/// Plans a call of all that `buffers` give, to be started any number of times. Collective. What is
/// returned keeps the buffers, and sends and receives the memory that they give. Throws as
/// `run_once` does.
[[nodiscard]] PlannedCollective plan(const Problem& problem, std::unique_ptr<BlockParts> buffers);

}  // namespace shunt
