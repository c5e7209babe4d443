// The sides of an exchange in parts, as the interfaces have them.
#pragma once

#include <memory>
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

  [[nodiscard]] TrafficBound traffic() const override;
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
  [[nodiscard]] const SendBlocks& to_send() const override { return send_->to_send(); }
  [[nodiscard]] const ReceiveBlocks& to_receive() const override { return receive_->to_receive(); }
  void pack() override { send_->pack(); }
  void unpack() override { receive_->unpack(); }

 private:
  std::unique_ptr<TypedBlocks> send_;
  std::unique_ptr<TypedBlocks> receive_;
};

}  // namespace shunt
