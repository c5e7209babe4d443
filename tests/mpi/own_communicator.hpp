// A communicator that a test makes and frees.
#pragma once

#include <mpi.h>

namespace shunt::test {

class OwnCommunicator {
 public:
  /// The ranks of `comm` with the same `colour`, ordered by `key`. Collective over `comm`.
  static OwnCommunicator split(MPI_Comm comm, int colour, int key) {
    OwnCommunicator own;
    MPI_Comm_split(comm, colour, key, &own.comm_);
    return own;
  }

  static OwnCommunicator duplicate(MPI_Comm comm) {
    OwnCommunicator own;
    MPI_Comm_dup(comm, &own.comm_);
    return own;
  }

  /// The ranks of `comm` that can share memory with this one, as MPI sees it.
  static OwnCommunicator of_machine(MPI_Comm comm) {
    OwnCommunicator own;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &own.comm_);
    return own;
  }

  OwnCommunicator(OwnCommunicator&& other) noexcept : comm_(other.comm_) {
    other.comm_ = MPI_COMM_NULL;
  }
  OwnCommunicator& operator=(OwnCommunicator&&) = delete;
  ~OwnCommunicator() { free(); }

  void free() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }

  [[nodiscard]] MPI_Comm get() const { return comm_; }

 private:
  OwnCommunicator() = default;

  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace shunt::test
