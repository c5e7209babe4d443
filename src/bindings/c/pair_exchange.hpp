// MPI_IN_PLACE: long blocks are swapped pair by pair, in chunks.
#pragma once

#include <vector>

#include "bindings/typed_side.hpp"
#include "context/byte_buffer.hpp"
#include "engine/planned_exchange.hpp"

namespace shunt::c {

/// The most bytes of the packed copy from which short blocks are sent in place, through the engine;
/// long blocks are swapped by PairExchange. The blocks of a pair of ranks have the same length both
/// ways, so both ends know without communication which way theirs go.
inline constexpr Bytes kPackedCopy = Bytes{4} << 20;

[[nodiscard]] inline bool is_long(Bytes block, Rank ranks) { return block > kPackedCopy / ranks; }

/// The number of the round in which `a` and `b` meet when all ranks do, a pair at a time each, in
/// as few rounds as that takes. Requires a != b.
[[nodiscard]] Rank meeting_round(Rank a, Rank b, Rank ranks);

/// Swaps the long blocks of each pair of ranks. Every rank goes through its long blocks in the
/// order of the rounds. Of all pairs that are not done, those of the earliest round wait for no
/// other rank, so no rank waits forever.
class PairExchange final : public PlannedExchange {
 public:
  /// Exchanges the long blocks of `side`, all but that of the rank itself. Collective.
  PairExchange(const std::shared_ptr<Context>& context, const TypedSide& side);
  ~PairExchange() override;
  PairExchange(const PairExchange&) = delete;
  PairExchange& operator=(const PairExchange&) = delete;

  bool advance(bool wait) override;

 private:
  static constexpr Bytes kChunk = Bytes{1} << 20;

  bool begin() override;
  /// The block that changes places now.
  [[nodiscard]] const TypedBlock& block() const { return side_.blocks()[index_of(peers_[met_])]; }
  void begin_pair();
  void post_chunk();
  [[nodiscard]] bool is_through(MPI_Request& request, bool wait, MPI_Status& status) const;
  void land_chunk();

  TypedSide side_;  ///< keeps the types of the blocks
  int tag_;
  std::vector<Rank> peers_;  ///< in the order in which they are met
  std::size_t met_ = 0;      ///< peers that are done with
  Bytes left_ = 0;           ///< bytes of the block that remain, with the chunk under way
  Bytes chunk_ = 0;          ///< bytes of the chunk under way
  MPI_Request receive_ = MPI_REQUEST_NULL;
  MPI_Request send_ = MPI_REQUEST_NULL;
  ByteBuffer out_;
  ByteBuffer in_;
};

}  // namespace shunt::c
