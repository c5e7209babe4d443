// The sides of an exchange in parts, as the interfaces have them.
#pragma once

#include <memory>
#include <utility>

#include "bindings/typed_blocks.hpp"
#include "exchange/block_parts.hpp"

namespace shunt {

/// Blocks of bytes, used where they are.
class PlainParts final : public BlockParts {
 public:
  PlainParts(SendBlocks send, ReceiveBlocks receive)
      : send_(std::move(send)), receive_(std::move(receive)) {}

  [[nodiscard]] TrafficBound traffic() const override;
  [[nodiscard]] const std::vector<Bytes>& sent() const override { return send_.bytes; }
  [[nodiscard]] const std::vector<Bytes>& received() const override { return receive_.bytes; }
  [[nodiscard]] bool fits_ints() const override;
  [[nodiscard]] Bytes packed_sides() const override { return 0; }
  [[nodiscard]] Bytes memory() const override { return 0; }
  void divide(const Parts& parts) override;
  void take(Bytes part) override { part_ = part; }
  [[nodiscard]] SendBlocks to_send() const override { return part_of(send_); }
  [[nodiscard]] ReceiveBlocks to_receive() const override { return part_of(receive_); }
  void pack() override {}
  void unpack() override {}

 private:
  template <class Blocks>
  [[nodiscard]] Blocks part_of(const Blocks& whole) const;

  SendBlocks send_;
  ReceiveBlocks receive_;
  Parts parts_;
  Bytes part_ = 0;
};

/// Blocks of typed elements, which are packed part by part where they have gaps.
class TypedParts final : public BlockParts {
 public:
  TypedParts(std::unique_ptr<TypedBlocks> send, std::unique_ptr<TypedBlocks> receive)
      : send_(std::move(send)), receive_(std::move(receive)) {}

  [[nodiscard]] TrafficBound traffic() const override;
  [[nodiscard]] const std::vector<Bytes>& sent() const override { return send_->lengths(); }
  [[nodiscard]] const std::vector<Bytes>& received() const override { return receive_->lengths(); }
  [[nodiscard]] bool fits_ints() const override {
    return send_->fits_ints() && receive_->fits_ints();
  }
  [[nodiscard]] Bytes packed_sides() const override;
  [[nodiscard]] Bytes memory() const override;
  void divide(const Parts& parts) override;
  void take(Bytes part) override;
  [[nodiscard]] SendBlocks to_send() const override { return send_->to_send(); }
  [[nodiscard]] ReceiveBlocks to_receive() const override { return receive_->to_receive(); }
  void pack() override { send_->pack(); }
  void unpack() override { receive_->unpack(); }

 private:
  std::unique_ptr<TypedBlocks> send_;
  std::unique_ptr<TypedBlocks> receive_;
};

}  // namespace shunt
