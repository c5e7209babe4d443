// Memory for users of which each rank of a node has a part, and that the others can read: what lies
// there is copied once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include <mpi.h>

#include "exchange/node/node.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// A place in such a memory, as all who share it understand it.
struct NodeAddress {
  std::uint64_t memory;  ///< a token that no other one has
  Bytes offset;          ///< from its beginning
};

/// This rank's part of one.
class NodeMemory {
 public:
  /// Collective over `comm`, of which `node` has those on this rank's node: `bytes` bytes of zeros,
  /// from the beginning of a page on. Every rank says how many it wants. Where the node shares no
  /// memory nobody else reads them. Throws Error(buffer) where the system gives none.
  [[nodiscard]] static std::unique_ptr<NodeMemory> create(MPI_Comm comm, const Node& node,
                                                          Bytes bytes);

  /// Local. The pages go at once, addresses when all who share the memory have let it go.
  ~NodeMemory();
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  [[nodiscard]] std::span<std::byte> own() const;

  /// The address of `at`, if that is in this process's part of a memory that the process with this
  /// number can read as well. From any thread.
  [[nodiscard]] static std::optional<NodeAddress> address_of(const std::byte* at,
                                                             std::int64_t reader);
  /// Where this process finds what another one has an address of; null if it does not share that
  /// memory. Valid until the other one lets it go. From any thread.
  [[nodiscard]] static const std::byte* find(const NodeAddress& address);

  class Mapping;

 private:
  explicit NodeMemory(std::shared_ptr<Mapping> mapping) : mapping_(std::move(mapping)) {}

  std::shared_ptr<Mapping> mapping_;
};

}  // namespace shunt
