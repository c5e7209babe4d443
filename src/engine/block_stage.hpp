// One stage of a one-shot exchange of blocks: every message brings its own table of contents, and
// the receiver knows no lengths before.
#pragma once

#include <vector>

#include <mpi.h>

#include "context/byte_buffer.hpp"
#include "context/context.hpp"
#include "engine/node_stages.hpp"
#include "engine/stage_runner.hpp"
#include "routing/streams.hpp"

namespace shunt {

/// Bytes of the label in front of a message's payload: the length of all that follows, and the
/// table of contents.
[[nodiscard]] Bytes label_bytes(const Outgoing& message);

/// Writes the label of `message`, after which `payload` bytes will follow.
void write_label(const Outgoing& message, Bytes payload, std::byte* to);

/// A message that has arrived, or that never left this rank.
struct Arrived {
  Rank from = kNoRank;
  Contents contents;
  const std::byte* payload = nullptr;
};

/// A message ready to leave.
struct Departure {
  Rank to = kNoRank;
  const std::byte* data = nullptr;
  Bytes bytes = 0;
};

/// A message travels as a head of at most `head_bytes`, for which a receive can be posted without
/// knowing the length, and one more packet for the rest, if there is one. It begins with its length
/// and its table of contents.
class LabelledMessages final : public StageMessages, public SharedInbox {
 public:
  /// Bytes in front of the table of contents: the length of all that follows them.
  static constexpr Bytes kPrefix = 8;

  /// Messages of peers that `node` shares with come and go there; null: all go through MPI.
  LabelledMessages(const Context& context, const std::vector<Step>& steps, int tag,
                   Bytes head_bytes, bool payload, std::byte* heads, NodeStages* node = nullptr);

  /// Sets what leaves: one departure per step that sends, in the order of the steps; the one to
  /// this rank is ignored. Hands `node` the messages that go through shared memory, and expects
  /// those that come there.
  void set_departures(std::vector<Departure> departures);

  /// All messages, senders ascending; the one from this rank is the caller's to fill in.
  std::vector<Arrived>& arrived() { return arrived_; }

  /// Bytes of the messages that are longer than a head.
  [[nodiscard]] Bytes long_bytes() const;

  Posted post_receive(std::size_t step) override;
  Posted post_send(std::size_t step) override;
  Posted received(std::size_t step, const MPI_Status& status) override;
  Posted sent(std::size_t step) override;

  SharedLanding landing_for(std::size_t step, Bytes length) override;
  void arrived(std::size_t step) override;

 private:
  [[nodiscard]] std::byte* head(std::size_t place) const {
    return heads_ + static_cast<Bytes>(place) * head_bytes_;
  }
  /// Whether the peer's message goes through MPI.
  [[nodiscard]] bool by_mpi(Rank peer) const;
  void open(std::size_t place, const std::byte* data, Bytes bytes);

  const Context& context_;
  const std::vector<Step>& steps_;
  int tag_;
  Bytes head_bytes_;
  bool payload_;
  std::byte* heads_;
  NodeStages* node_;
  std::vector<Departure> departures_;
  std::vector<std::size_t> departure_of_step_;
  std::vector<std::size_t> place_of_step_;  ///< among the senders, ascending
  std::vector<Arrived> arrived_;
  std::vector<ByteBuffer> long_messages_;  ///< by place
  std::vector<Bytes> long_bytes_;          ///< by place; 0: the head is all, or is yet to come
};

}  // namespace shunt
