// Redistributions as exchanges of blocks: what goes to a rank is packed into one, so that any
// algorithm can bring it there.
#pragma once

#include <cstddef>
#include <vector>

#include "bindings/plan_packing.hpp"
#include "exchange/blocks.hpp"
#include "exchange/box_arrays.hpp"
#include "exchange/byte_buffer.hpp"
#include "exchange/local_redistribution.hpp"
#include "routing/box_series.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Has memory for all that the rank sends and receives.
class BoxPacking final : public PlanPacking {
 public:
  BoxPacking(const std::vector<LocalRedistribution>& redistributions, BoxArrays arrays, Rank rank,
             Rank ranks, Bytes element);
  BoxPacking(const BoxPacking&) = delete;
  BoxPacking& operator=(const BoxPacking&) = delete;

  [[nodiscard]] SendBlocks to_send() const { return {send_.base, send_.bytes, send_.offsets}; }
  [[nodiscard]] ReceiveBlocks to_receive() const {
    return {receive_.base, receive_.bytes, receive_.offsets};
  }

  void pack() override;
  void unpack() override;

 private:
  struct Side {
    std::vector<BoxSeries> boxes;  ///< by peer
    std::vector<Bytes> bytes = {};
    std::vector<Bytes> offsets = {};
    PayloadBuffer memory = {};
    std::byte* base = nullptr;
  };

  static void make_room(Side& side);

  BoxArrays arrays_;
  Side send_;
  Side receive_;
};

}  // namespace shunt
