// The processes of the ranks of a node, as far as one may read the memory of another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <mpi.h>

#include "shunt/types.hpp"

namespace shunt {

class Processes {
 public:
  /// Collective over `node`, whose ranks are those of one node. That every rank can read the next
  /// one's memory is tried: a kernel may forbid it, and in another container a process has another
  /// number.
  explicit Processes(MPI_Comm node);

  /// Whether every rank can read the memory of the others; the same on all of them.
  [[nodiscard]] bool readable() const { return readable_; }

  /// Returns the system's number of the process at `place`.
  [[nodiscard]] std::int64_t number(std::size_t place) const { return processes_[place]; }

  /// Copies the bytes at `theirs` in the memory of the process at `place`, by process_vm_readv.
  /// Throws Error(buffer) where it cannot. Required: `readable()`.
  void read(std::size_t place, const std::byte* theirs, std::byte* mine, Bytes bytes) const;

 private:
  std::vector<std::int64_t> processes_;  ///< by place
  bool readable_ = false;
};

}  // namespace shunt
