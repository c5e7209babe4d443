// Memory that the processes of one node share. It has no name, so nothing is left behind when a
// process is killed.
#pragma once

#include <memory>

#include <mpi.h>

#include "shunt/types.hpp"

namespace shunt {

/// What begins at multiples of it lies in pages of its own.
inline constexpr Bytes kPage = 4096;

[[nodiscard]] constexpr Bytes whole_pages(Bytes bytes) {
  return (bytes + kPage - 1) / kPage * kPage;
}

class SharedMemory {
 public:
  /// Collective over `comm`, whose ranks believe that they are on one node: `bytes` zero bytes,
  /// seen by all. Null on all of them if one of them cannot reach it. Pages take memory once they
  /// are touched.
  [[nodiscard]] static std::unique_ptr<SharedMemory> create(MPI_Comm comm, Bytes bytes);

  /// Local: the memory goes with the last process that sees it.
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  [[nodiscard]] std::byte* data() const { return data_; }

 private:
  SharedMemory(void* data, Bytes bytes) : data_(static_cast<std::byte*>(data)), bytes_(bytes) {}

  std::byte* data_;
  Bytes bytes_;
};

}  // namespace shunt
