// The blocks of an exchange that is made in parts.
#pragma once

#include "context/blocks.hpp"
#include "model/parts.hpp"

namespace shunt {

/// Gives the blocks that an exchange sends and receives, part by part.
class BlockParts {
 public:
  virtual ~BlockParts() = default;

  /// Returns the bytes to each rank, all parts together.
  [[nodiscard]] virtual const std::vector<Bytes>& sent() const = 0;
  /// Returns the bytes from each rank, all parts together.
  [[nodiscard]] virtual const std::vector<Bytes>& received() const = 0;
  /// Returns the largest of this rank's loads and blocks, all parts together.
  [[nodiscard]] TrafficBound traffic() const { return traffic_of(sent(), received()); }
  /// Whether MPI's ints suffice for any part.
  [[nodiscard]] virtual bool fits_ints() const = 0;
  /// Returns the bytes of a unit that no part cuts. Equal on all ranks.
  [[nodiscard]] virtual Bytes unit() const { return 1; }

  /// Returns how many of the two directions go through packed copies, of which one part exists at a
  /// time.
  [[nodiscard]] virtual Bytes packed_sides() const = 0;
  /// Returns the bytes of packed copies that there are.
  [[nodiscard]] virtual Bytes memory() const = 0;

  /// Returns the bytes of packed copies where all is one part.
  [[nodiscard]] Bytes packing() const {
    const Bytes sides = packed_sides();
    return sides == 0 ? 0 : sides * traffic().largest_load;
  }

  /// Divides the blocks into these parts and takes the first one.
  virtual void divide(const Parts& parts) = 0;
  /// Takes a part: from now on the blocks are those of it.
  virtual void take(Bytes part) = 0;

  /// Returns the blocks of the part. Valid until the next part is taken.
  [[nodiscard]] virtual const SendBlocks& to_send() const = 0;
  [[nodiscard]] virtual const ReceiveBlocks& to_receive() const = 0;
  virtual void pack() = 0;    ///< before the part is sent
  virtual void unpack() = 0;  ///< after it was received
};

}  // namespace shunt
