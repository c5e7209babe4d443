// MPI calls that throw, and messages of more than 2^31 bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

#include "shunt/error.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Throws Error(communication), or Error(truncated) for a message longer than its receive, with the
/// MPI library's own words, unless `code` is MPI_SUCCESS.
void check_mpi(int code, const char* call);

/// The MPI error class that belongs to `kind`.
[[nodiscard]] int mpi_error_class(ErrorKind kind);

/// `bytes` bytes as a count of an MPI datatype; MPI's counts are ints. They are consecutive, or one
/// element of `pieces`.
class ByteCount {
 public:
  ByteCount(Bytes bytes, MPI_Datatype pieces = MPI_DATATYPE_NULL);
  ~ByteCount();
  ByteCount(const ByteCount&) = delete;
  ByteCount& operator=(const ByteCount&) = delete;

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

 private:
  int count_;
  MPI_Datatype type_;
  bool owned_ = false;
};

/// Where a message goes or comes from.
struct Peer {
  Rank rank;
  int tag;
  MPI_Comm comm;
};

/// `bytes` is as for ByteCount.
[[nodiscard]] MPI_Request start_send(const std::byte* data, const ByteCount& bytes, const Peer& to);
[[nodiscard]] MPI_Request start_receive(std::byte* data, const ByteCount& bytes, const Peer& from);

/// Collective: what every rank of `comm` gives, by rank.
template <class T>
[[nodiscard]] std::vector<T> gather_from_all(MPI_Comm comm, const T& own) {
  int size = 0;
  check_mpi(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  std::vector<T> all(static_cast<std::size_t>(size));
  // The blocking form would come back to Shunt where it is preloaded.
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(
      MPI_Iallgather(&own, sizeof(T), MPI_BYTE, all.data(), sizeof(T), MPI_BYTE, comm, &request),
      "MPI_Iallgather");
  check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
  return all;
}

/// Whether all ranks give `all`, or any gives `any`. Collective over `comm`, an intracommunicator:
/// one reduction, for whose failure the error handler is not called.
[[nodiscard]] bool all_or_any(MPI_Comm comm, bool all, bool any);

/// Cancels and frees what an exception has left under way.
void abandon(std::span<MPI_Request> requests);

/// The error of a message from `from` that has not the `expected` bytes.
[[nodiscard]] Error wrong_length(Rank from, Bytes expected);

/// The error of a message that `from` does not send at all.
[[nodiscard]] Error no_message(Rank from);

/// Throws Error(truncated) where the rank's block for itself has another length than it expects.
void expect_own_block(Rank rank, Bytes sent, Bytes expected);

/// Throws Error(truncated) unless the message of `status` has exactly `expected` bytes, received as
/// one of `pieces` if that is given.
void expect_length(const MPI_Status& status, Bytes expected, Rank from,
                   MPI_Datatype pieces = MPI_DATATYPE_NULL);

/// Bytes of a message that was received as less than 2^31 bytes.
[[nodiscard]] Bytes received_bytes(const MPI_Status& status);

/// What MPI_Comm_set_name, or MPI itself, has named the communicator.
[[nodiscard]] std::string name_of(MPI_Comm comm);

/// The ranks of `comm` in MPI_COMM_WORLD, by rank; none where one of them belongs to another world.
[[nodiscard]] std::vector<Rank> world_ranks_of(MPI_Comm comm);

/// Name and version, "Open MPI v4.1.4": MPI's own words up to the first comma or line.
[[nodiscard]] std::string mpi_library();

/// Whether MPI can be called: after MPI_Init and before MPI_Finalize. A session alone
/// (MPI_Session_init) has no MPI_COMM_WORLD, which Shunt needs.
[[nodiscard]] bool mpi_is_running();

/// The sentence of the error where MPI is not running.
inline constexpr const char* kMpiIsNotRunning =
    "MPI is not running: call MPI_Init first, which a session does not do, and nothing after "
    "MPI_Finalize";

}  // namespace shunt
