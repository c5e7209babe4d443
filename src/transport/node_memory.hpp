// Memory for users of which each rank of a node has a part, and that the others can read: what lies
// there is copied once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include <mpi.h>

#include "shunt/types.hpp"
#include "transport/node.hpp"

namespace shunt {

/// An address in memory of the node, in a form that all ranks that share it understand.
struct NodeAddress {
  std::uint64_t memory;  ///< a token that no other one has
  Bytes offset;          ///< from its beginning
};

/// This rank's part of memory that the ranks of a node share.
class NodeMemory {
 public:
  /// Returns `bytes` bytes of zeros that begin at a page. Collective over `comm`, of which `node`
  /// has the ranks on this rank's node; each rank chooses its own number of bytes. Where the node
  /// shares no memory, no other rank can read them. Throws Error(buffer) where the system has no
  /// such memory.
  [[nodiscard]] static std::unique_ptr<NodeMemory> create(MPI_Comm comm, const Node& node,
                                                          Bytes bytes);

  /// Frees the part. Local. Its pages are freed at once, its addresses when all ranks that share
  /// the memory have freed theirs.
  ~NodeMemory();
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  [[nodiscard]] std::span<std::byte> own() const;

  /// Returns the address of `at`, if that is in this process's part of memory that the process
  /// `reader` can read as well. From any thread.
  [[nodiscard]] static std::optional<NodeAddress> address_of(const std::byte* at,
                                                             std::int64_t reader);
  /// Returns where this process finds what another one has an address of; null if it does not share
  /// that memory. Valid until the other one frees it. From any thread.
  [[nodiscard]] static const std::byte* find(const NodeAddress& address);

  class Mapping;

 private:
  explicit NodeMemory(std::shared_ptr<Mapping> mapping) : mapping_(std::move(mapping)) {}

  std::shared_ptr<Mapping> mapping_;
};

}  // namespace shunt
