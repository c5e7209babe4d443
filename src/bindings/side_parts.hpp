// The sides of an exchange in parts, as the interfaces have them.
#pragma once

#include <utility>

#include "bindings/typed_blocks.hpp"
#include "engine/block_parts.hpp"

namespace shunt {

/// Blocks of bytes, used where they are.
class PlainParts final : public BlockParts {
 public:
  /// The caller keeps the blocks for as long as this is used.
  PlainParts(const SendBlocks* send, const ReceiveBlocks* receive)
      : send_(send), receive_(receive) {}
  /// Keeps the blocks, though not the memory that they are in.
  PlainParts(SendBlocks send, ReceiveBlocks receive)
      : own_send_(std::move(send)),
        own_receive_(std::move(receive)),
        send_(&own_send_),
        receive_(&own_receive_) {}
  PlainParts(const PlainParts&) = delete;
  PlainParts& operator=(const PlainParts&) = delete;

  [[nodiscard]] const std::vector<Bytes>& sent() const override { return send_->bytes; }
  [[nodiscard]] const std::vector<Bytes>& received() const override { return receive_->bytes; }
  [[nodiscard]] bool fits_ints() const override;
  [[nodiscard]] Bytes packed_sides() const override { return 0; }
  [[nodiscard]] Bytes memory() const override { return 0; }
  void divide(const Parts& parts) override;
  void take(Bytes part) override;
  [[nodiscard]] const SendBlocks& to_send() const override {
    return parts_.count == 1 ? *send_ : part_send_;
  }
  [[nodiscard]] const ReceiveBlocks& to_receive() const override {
    return parts_.count == 1 ? *receive_ : part_receive_;
  }
  void pack() override {}
  void unpack() override {}

 private:
  SendBlocks own_send_;
  ReceiveBlocks own_receive_;
  const SendBlocks* send_;
  const ReceiveBlocks* receive_;
  Parts parts_;
  SendBlocks part_send_;
  ReceiveBlocks part_receive_;
};

/// Blocks of typed elements, which are packed part by part where they have gaps.
class TypedParts final : public BlockParts {
 public:
  /// `leaving` says whether a copy of what is sent is made in any case.
  TypedParts(TypedSide send, TypedSide receive,
             TypedBlocks::Placement leaving = TypedBlocks::Placement::in_place)
      : send_(std::move(send), leaving), receive_(std::move(receive)) {}

  [[nodiscard]] const std::vector<Bytes>& sent() const override { return send_.lengths(); }
  [[nodiscard]] const std::vector<Bytes>& received() const override { return receive_.lengths(); }
  [[nodiscard]] bool fits_ints() const override {
    return send_.fits_ints() && receive_.fits_ints();
  }
  [[nodiscard]] Bytes packed_sides() const override {
    return (send_.is_copied() ? 1 : 0) + (receive_.is_copied() ? 1 : 0);
  }
  [[nodiscard]] Bytes memory() const override { return send_.memory() + receive_.memory(); }
  void divide(const Parts& parts) override {
    send_.divide(parts);
    receive_.divide(parts);
  }
  void take(Bytes part) override {
    send_.take(part);
    receive_.take(part);
  }
  [[nodiscard]] const SendBlocks& to_send() const override { return send_.to_send(); }
  [[nodiscard]] const ReceiveBlocks& to_receive() const override { return receive_.to_receive(); }
  void pack() override { send_.pack(); }
  void unpack() override { receive_.unpack(); }

 private:
  TypedBlocks send_;
  TypedBlocks receive_;
};

}  // namespace shunt
