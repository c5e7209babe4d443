// Redistributions as exchanges of blocks: what goes to a rank is packed into one, so that any
// algorithm can bring it there.
#pragma once

#include <cstddef>
#include <vector>

#include "context/byte_buffer.hpp"
#include "engine/block_parts.hpp"
#include "engine/box_arrays.hpp"
#include "engine/local_redistribution.hpp"
#include "routing/box_series.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Has memory for a part of all that the rank sends and receives. The parts are packed in their
/// order, and unpacked in their order.
class BoxPacking final : public BlockParts {
 public:
  BoxPacking(const std::vector<LocalRedistribution>& redistributions, BoxArrays arrays, Rank rank,
             Rank ranks, Bytes element);
  BoxPacking(const BoxPacking&) = delete;
  BoxPacking& operator=(const BoxPacking&) = delete;

  [[nodiscard]] const std::vector<Bytes>& sent() const override { return send_.lengths; }
  [[nodiscard]] const std::vector<Bytes>& received() const override { return receive_.lengths; }
  [[nodiscard]] bool fits_ints() const override;
  [[nodiscard]] Bytes unit() const override { return element_; }
  [[nodiscard]] Bytes packed_sides() const override { return 2; }
  [[nodiscard]] Bytes memory() const override;
  void divide(const Parts& parts) override;
  void take(Bytes part) override;
  [[nodiscard]] const SendBlocks& to_send() const override { return send_.blocks(); }
  [[nodiscard]] const ReceiveBlocks& to_receive() const override { return receive_.blocks(); }
  void pack() override;
  void unpack() override;

 private:
  template <class Blocks>
  struct Side {
    explicit Side(Rank ranks) : boxes(index_of(ranks)) {}

    /// There is memory for the longest part from then on.
    [[nodiscard]] const Blocks& blocks() const {
      part_blocks = {memory.provide(longest), bytes, offsets};
      return part_blocks;
    }
    void take(const Parts& parts, Bytes part);

    std::vector<BoxSeries> boxes;  ///< by peer
    std::vector<Bytes> lengths;    ///< of whole blocks, by peer
    std::vector<Bytes> bytes;
    std::vector<Bytes> offsets;
    Bytes longest = 0;  ///< bytes of the longest part
    mutable PayloadBuffer memory;
    mutable Blocks part_blocks;
  };

  BoxArrays arrays_;
  Bytes element_;
  Parts parts_;
  Bytes part_ = 0;
  Side<SendBlocks> send_;
  Side<ReceiveBlocks> receive_;
};

}  // namespace shunt
