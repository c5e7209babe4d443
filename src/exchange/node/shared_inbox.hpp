// What a rank does with the messages that come to it through the memory of the node.
#pragma once

#include <cstddef>
#include <optional>

#include "exchange/mpi_call.hpp"
#include "exchange/node/loans.hpp"
#include "exchange/node/pipe.hpp"
#include "shunt/error.hpp"
#include "shunt/types.hpp"

namespace shunt {

class SharedInbox {
 public:
  SharedInbox() = default;
  SharedInbox(const SharedInbox&) = delete;
  SharedInbox& operator=(const SharedInbox&) = delete;
  virtual ~SharedInbox() = default;

  /// The message that was expected in `step` has `length` bytes. What may be lent belongs in one
  /// piece of memory.
  virtual SharedLanding landing_for(std::size_t step, Bytes length) = 0;

  /// How to copy the message of `step`, which its sender lends and describes by the text that
  /// begins at `description`, and lies there until the message is taken. Asked of those alone to
  /// whom messages come that way.
  virtual Loans::CopyPiece borrowed(std::size_t /*step*/, const std::byte* /*description*/) {
    return {};
  }

  /// It is all there.
  virtual void arrived(std::size_t step) = 0;

  /// Rank `from` is through with the exchange and has left no message.
  void miss(Rank from) { fault = no_message(from); }

  /// What is wrong with a message. The others still have to get theirs from this rank, so it is
  /// thrown when the exchange is over.
  std::optional<Error> fault;
};

}  // namespace shunt
