// The buffers of one call of the C interface, from its arguments to the blocks of the engine.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "bindings/c/arguments.hpp"
#include "bindings/side_parts.hpp"
#include "collective/collective.hpp"
#include "context/context.hpp"
#include "shunt/options.hpp"

namespace shunt::c {

/// Whether long blocks change places pair by pair. Within a limit of memory all blocks leave from
/// packed copies, part by part: those of two ranks have the same length both ways, so a part
/// arrives where the same part has left.
[[nodiscard]] bool are_swapped(const Arguments& arguments, const Options& options);

/// Returns the arguments in the terms of the engine: two sides that do not share memory. In place,
/// blocks that are not `swapped` leave from a packed copy; but what an all-gather sends it does not
/// overwrite. Otherwise takes the sides away from the arguments.
[[nodiscard]] std::unique_ptr<TypedParts> typed_parts(Arguments& arguments, Rank ranks,
                                                      bool swapped);

/// The buffers of a one-shot call, which are read once they are needed: all that is given outlives
/// this.
class CallBuffers {
 public:
  CallBuffers(const Call& call, const std::shared_ptr<Context>& context, const Options& options,
              NativeCall native)
      : call_(call), context_(context), options_(options), native_(native) {}

  /// Takes the arguments, which were read.
  void set(Arguments arguments) { arguments_ = std::move(arguments); }

  /// Returns this rank's traffic for the kind of collective; looks at no more of the arguments than
  /// it has to. A rank that cannot read them has none.
  [[nodiscard]] CallTraffic traffic_for(const Collective& kind);

  /// Returns the buffers in the terms of the engine. Blocks that lie densely are used where they
  /// are.
  [[nodiscard]] BlockParts& parts();

  /// Makes what an exchange in place leaves out of the parts, the long blocks. Collective.
  void swap_long_blocks();

  /// Throws what is wrong with the arguments, if anything is. Blocks that cannot be used were left
  /// out.
  void expect_no_fault() const;

 private:
  [[nodiscard]] bool finds_dense();
  [[nodiscard]] bool finds_lengths(std::vector<Bytes>& lengths) const;
  [[nodiscard]] Arguments& arguments();

  const Call& call_;
  const std::shared_ptr<Context>& context_;
  const Options& options_;
  const NativeCall native_;
  std::optional<PlainParts> dense_;     ///< of blocks in the context's scratch
  std::optional<Arguments> arguments_;  ///< once they were read; never where blocks are dense
  std::unique_ptr<TypedParts> typed_;
};

}  // namespace shunt::c
