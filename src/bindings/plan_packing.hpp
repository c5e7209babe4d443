// What is done with the user's elements around a planned exchange of blocks.
#pragma once

#include <memory>
#include <utility>

#include "bindings/typed_blocks.hpp"

namespace shunt {

class PlanPacking {
 public:
  virtual ~PlanPacking() = default;
  virtual void pack() = 0;    ///< before each start
  virtual void unpack() = 0;  ///< after each end
};

/// Of typed elements; either side may be null, which are used as they are.
class TypedPacking final : public PlanPacking {
 public:
  TypedPacking(std::unique_ptr<TypedBlocks> send, std::unique_ptr<TypedBlocks> receive)
      : send_(std::move(send)), receive_(std::move(receive)) {}

  void pack() override {
    if (send_) send_->pack();
  }
  void unpack() override {
    if (receive_) receive_->unpack();
  }

 private:
  std::unique_ptr<TypedBlocks> send_;
  std::unique_ptr<TypedBlocks> receive_;
};

}  // namespace shunt
