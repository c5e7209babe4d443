// The blocks of an exchange that is made in parts.
#pragma once

#include "exchange/blocks.hpp"
#include "model/parts.hpp"

namespace shunt {

/// Gives the two sides of an exchange part by part.
class BlockParts {
 public:
  virtual ~BlockParts() = default;

  /// The largest of this rank's sums and blocks, of the whole.
  [[nodiscard]] virtual TrafficBound traffic() const = 0;
  /// Bytes to each rank, of the whole.
  [[nodiscard]] virtual const std::vector<Bytes>& sent() const = 0;
  /// Bytes from each rank, of the whole.
  [[nodiscard]] virtual const std::vector<Bytes>& received() const = 0;
  /// Whether MPI's ints suffice for any part.
  [[nodiscard]] virtual bool fits_ints() const = 0;
  /// Blocks are cut between units of so many bytes. The same on all ranks.
  [[nodiscard]] virtual Bytes unit() const { return 1; }

  /// How many of the two sides go through memory of its own: a part of each is there at a time.
  [[nodiscard]] virtual Bytes packed_sides() const = 0;
  /// Bytes of memory of its own that there are.
  [[nodiscard]] virtual Bytes memory() const = 0;

  /// Bytes that packing takes for the whole.
  [[nodiscard]] Bytes packing() const { return packed_sides() * traffic().largest_load; }

  /// From now on the blocks come in these parts, the first one first.
  virtual void divide(const Parts& parts) = 0;
  /// From now on the blocks are those of this part.
  virtual void take(Bytes part) = 0;

  /// Valid until the next part is taken.
  [[nodiscard]] virtual const SendBlocks& to_send() const = 0;
  [[nodiscard]] virtual const ReceiveBlocks& to_receive() const = 0;
  virtual void pack() = 0;    ///< before the part is sent
  virtual void unpack() = 0;  ///< after it was received
};

}  // namespace shunt
