// What a rank does with the messages that come to it through the memory of the node.
#pragma once

#include <cstddef>
#include <optional>

#include "mpi_calls/mpi_call.hpp"
#include "shunt/error.hpp"
#include "shunt/types.hpp"
#include "transport/pipe.hpp"
#include "transport/single_copies.hpp"

namespace shunt {

class SharedInbox {
 public:
  SharedInbox() = default;
  SharedInbox(const SharedInbox&) = delete;
  SharedInbox& operator=(const SharedInbox&) = delete;
  virtual ~SharedInbox() = default;

  /// Returns where the message that was expected in `step`, and has `length` bytes, belongs. A
  /// message that may be exposed belongs in one piece of memory.
  virtual SharedLanding landing_for(std::size_t step, Bytes length) = 0;

  /// Returns how to copy the message of `step`, which its sender exposes and describes at
  /// `description`; the description lies there until the message is taken. Called only for messages
  /// that come that way.
  virtual SingleCopies::CopyPiece pulled(std::size_t /*step*/, const std::byte* /*description*/) {
    return {};
  }

  /// Called when all of the message of `step` has arrived.
  virtual void arrived(std::size_t step) = 0;

  /// Notes that rank `from` is through with the exchange and has left no message.
  void miss(Rank from) { fault = no_message(from); }

  /// What is wrong with a message, if anything is. Other ranks still have to get theirs from this
  /// one, so it is thrown when the exchange is over.
  std::optional<Error> fault;
};

}  // namespace shunt
