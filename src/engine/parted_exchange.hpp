// A planned exchange that is made in parts, one after the other.
#pragma once

#include <memory>
#include <vector>

#include "engine/block_parts.hpp"
#include "engine/planned_exchange.hpp"

namespace shunt {

/// Adds what a part has counted to what those before it have: messages and bytes add up, and of
/// lengths, buffers and memory the largest counts.
void add_part(Counters& all, const Counters& part);

/// Any part is a planned exchange; it is over on all sides of this rank when the next one begins.
class PartedExchange final : public PlannedExchange {
 public:
  /// `parts` gives the blocks of `exchanges`, in this order.
  PartedExchange(std::shared_ptr<Context> context, std::unique_ptr<BlockParts> parts,
                 std::vector<std::unique_ptr<PlannedExchange>> exchanges);

  bool advance(bool wait) override;

 private:
  bool begin() override;
  /// Begins the exchanges from `part_` on; false if they are all over at once.
  bool begin_rest();

  std::unique_ptr<BlockParts> parts_;
  std::vector<std::unique_ptr<PlannedExchange>> exchanges_;
  std::size_t part_ = 0;  ///< under way
};

}  // namespace shunt
