// A communicator of Shunt's own, for as long as it takes to set something up.
#pragma once

#include <utility>

#include <mpi.h>

#include "mpi_calls/mpi_call.hpp"
#include "shunt/types.hpp"

namespace shunt {

class NodeCommunicator {
 public:
  /// The ranks of `comm` on this rank's node.
  static NodeCommunicator of_node(MPI_Comm comm) {
    int rank = 0;
    check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    NodeCommunicator node;
    check_mpi(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node.comm_),
              "MPI_Comm_split_type");
    return node;
  }

  /// The ranks of `comm` that give the same number.
  static NodeCommunicator part_of(MPI_Comm comm, Rank number) {
    int rank = 0;
    check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    NodeCommunicator part;
    check_mpi(MPI_Comm_split(comm, number, rank, &part.comm_), "MPI_Comm_split");
    return part;
  }

  NodeCommunicator(NodeCommunicator&& other) noexcept : comm_(other.comm_) {
    other.comm_ = MPI_COMM_NULL;
  }
  NodeCommunicator& operator=(NodeCommunicator&& other) noexcept {
    std::swap(comm_, other.comm_);
    return *this;
  }
  ~NodeCommunicator() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  [[nodiscard]] MPI_Comm get() const { return comm_; }

 private:
  NodeCommunicator() = default;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace shunt
