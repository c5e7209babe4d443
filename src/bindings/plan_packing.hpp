// What is done with the user's elements around a planned exchange of blocks.
#pragma once

#include <memory>
#include <utility>

#include "exchange/block_parts.hpp"

namespace shunt {

class PlanPacking {
 public:
  virtual ~PlanPacking() = default;
  virtual void pack() = 0;    ///< before each start
  virtual void unpack() = 0;  ///< after each end
};

/// Of blocks that are exchanged whole.
class WholePacking final : public PlanPacking {
 public:
  explicit WholePacking(std::unique_ptr<BlockParts> sides) : sides_(std::move(sides)) {}

  void pack() override { sides_->pack(); }
  void unpack() override { sides_->unpack(); }

 private:
  std::unique_ptr<BlockParts> sides_;
};

}  // namespace shunt
