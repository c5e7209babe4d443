// The sides of an exchange in parts, as the interfaces have them.
#pragma once

#include <utility>
#include <vector>

#include "bindings/typed_side.hpp"
#include "context/byte_buffer.hpp"
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

/// The byte blocks of one side of an exchange of typed elements. Where the elements of all blocks
/// lie densely and in order they are used where they are; otherwise a packed copy of the blocks
/// stands in, of one part at a time.
class TypedBlocks {
 public:
  enum class Placement {
    in_place,  ///< where the types allow it
    copied     ///< always a copy
  };

  explicit TypedBlocks(TypedSide side, Placement placement = Placement::in_place);
  TypedBlocks(const TypedBlocks&) = delete;
  TypedBlocks& operator=(const TypedBlocks&) = delete;

  /// Divides the blocks into parts; until the next one is taken, all other functions concern the
  /// first. Called before the blocks are asked for.
  void divide(const Parts& parts);
  void take(Bytes part);

  /// Returns the lengths of the whole blocks, in bytes by rank.
  [[nodiscard]] const std::vector<Bytes>& lengths() const { return whole_.bytes; }
  [[nodiscard]] bool is_copied() const { return copied_; }
  /// Whether MPI's ints suffice for its blocks, wherever they are and whatever part is taken.
  [[nodiscard]] bool fits_ints() const;
  /// Bytes of the packed copy that there is.
  [[nodiscard]] Bytes memory() const { return packed_.capacity(); }

  /// The blocks of the part, valid until the next one is taken.
  [[nodiscard]] const SendBlocks& to_send() const {
    send_ = {base(), blocks_.bytes, blocks_.offsets};
    return send_;
  }
  [[nodiscard]] const ReceiveBlocks& to_receive() const {
    blocks_.base = base();
    return blocks_;
  }

  /// Fills the packed copy from the user's blocks, if there is one.
  void pack();

  /// Brings the packed copy to the user's blocks, if there is one.
  void unpack();

 private:
  /// Where the part begins in block `k`.
  [[nodiscard]] Bytes begin_of(std::size_t k) const {
    return parts_.count == 1 ? 0 : parts_.begin(whole_.bytes[k], part_);
  }
  /// The lowest block, or the copy, for which there is memory from then on.
  [[nodiscard]] std::byte* base() const {
    return copied_ ? packed_.provide(longest_) : whole_.base;
  }

  TypedSide side_;
  bool copied_;
  ReceiveBlocks whole_;  ///< from the lowest one; all at 0 where there is a copy
  Parts parts_;
  Bytes part_ = 0;
  Bytes longest_ = 0;  ///< bytes of the longest part
  mutable ByteBuffer packed_;
  mutable ReceiveBlocks blocks_;  ///< of the part
  mutable SendBlocks send_;       ///< the same, where they are sent
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
