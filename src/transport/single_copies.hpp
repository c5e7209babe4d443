// Messages that are copied once: their sender exposes the memory they lie in, and waits; the
// receiver copies them from there to where they belong.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "shunt/error.hpp"
#include "shunt/options.hpp"
#include "shunt/types.hpp"
#include "transport/pipe.hpp"
#include "transport/processes.hpp"
#include "transport/region.hpp"

namespace shunt {

/// A value of SharedMessage::ring: the message is exposed, and the text of its descriptor says
/// where it lies.
inline constexpr Bytes kExposed = -2;

/// A value of SharedMessage::ring: the message is exposed, and a description in shared memory says
/// where in the memory of the node it lies.
inline constexpr Bytes kDescribed = -3;

/// Shorter messages take longer to be exposed than to be copied twice: each costs a call of the
/// system.
inline constexpr Bytes kLeastSingleCopy = 8192;

/// Whether the options have a message of that length exposed where it can be.
[[nodiscard]] inline bool wants_single_copy(const Options& options, Bytes bytes) {
  return options.single_copy && bytes >= kLeastSingleCopy;
}

/// Writes where an exposed message begins in the memory of its sender, which is this rank.
inline void put_exposed(MessageDescriptor& descriptor, const std::byte* message) {
  std::memcpy(descriptor.text, &message, sizeof message);
}
/// Reads it.
[[nodiscard]] inline const std::byte* exposed_in(const MessageDescriptor& descriptor) {
  const std::byte* message = nullptr;
  std::memcpy(&message, descriptor.text, sizeof message);
  return message;
}

/// The single copies of one rank that are under way.
class SingleCopies {
 public:
  /// What a rank does to end a single copy: it sets `taken` to `number`, or to more.
  struct Acknowledgement {
    Word* taken;
    std::uint64_t number;
  };

  /// Copies `bytes` bytes of an exposed message, from its byte `place` on, to where they belong.
  /// Called for all of it in order. Throws Error where they cannot be read.
  using CopyPiece = std::function<void(Bytes place, Bytes bytes)>;

  /// Bytes that a rank copies, in some milliseconds, before it looks at its other messages. Blocks
  /// of 4 MiB took an eighth longer in pieces of 1 MiB.
  static constexpr Bytes kLongTurn = Bytes{16} << 20;

  /// A message that another rank exposes to this one.
  struct Pulled {
    CopyPiece copy;
    Bytes bytes;
    std::size_t step;
    Acknowledgement end;
    bool in_pace = false;  ///< whether it is copied in turn with others that are (turn_of)
    Bytes copied = 0;
  };

  /// Returns a copy out of the memory of the process at `place`, from `from` to `to`. `processes`
  /// outlives it.
  [[nodiscard]] static CopyPiece read_from(const Processes& processes, std::size_t place,
                                           const std::byte* from, std::byte* to) {
    return [=, &processes](Bytes begin, Bytes bytes) {
      processes.read(place, from + begin, to + begin, bytes);
    };
  }

  static void acknowledge(Acknowledgement end) {
    end.taken->store(end.number, std::memory_order_release);
  }

  /// Adds a message that this rank exposes.
  void expose(Acknowledgement end) { exposed_.push_back(end); }
  void pull(Pulled pulled) { pulled_.push_back(std::move(pulled)); }
  /// Forgets all single copies.
  void clear() {
    exposed_.clear();
    pulled_.clear();
  }

  /// Whether no single copy is under way.
  [[nodiscard]] bool empty() const { return exposed_.empty() && pulled_.empty(); }

  /// Copies a piece of one of the messages that were pulled, in turn, and looks for what has been
  /// acknowledged; true if there was anything. Calls `arrived(step)` for a message that is all
  /// there, and `lost(error)` for one that cannot be read.
  template <class Arrived, class Lost>
  bool advance(Arrived&& arrived, Lost&& lost) {
    if (empty()) return false;
    const auto acknowledged = std::erase_if(exposed_, [](const Acknowledgement& end) {
      return end.taken->load(std::memory_order_acquire) >= end.number;
    });
    if (pulled_.empty()) return acknowledged > 0;
    if (const std::optional<Error> error = copy_some()) {
      lost(*error);
    } else if (pulled_.front().copied < pulled_.front().bytes) {
      std::ranges::rotate(pulled_, pulled_.begin() + 1);
      return true;
    } else {
      arrived(pulled_.front().step);
    }
    acknowledge(pulled_.front().end);
    pulled_.erase(pulled_.begin());
    return true;
  }

 private:
  /// Copies the next piece of the first one, or says why it cannot.
  [[nodiscard]] std::optional<Error> copy_some() {
    Pulled& pulled = pulled_.front();
    Bytes turn = kLongTurn;
    if (pulled.in_pace) {
      Bytes total = 0;
      for (const Pulled& each : pulled_) total += each.bytes;
      turn = turn_of(pulled.bytes, total);
    }
    const Bytes bytes = std::min(pulled.bytes - pulled.copied, turn);
    try {
      pulled.copy(pulled.copied, bytes);
    } catch (const Error& error) {
      return error;
    }
    pulled.copied += bytes;
    return std::nullopt;
  }

  std::vector<Acknowledgement> exposed_;
  std::deque<Pulled> pulled_;
};

}  // namespace shunt
