// Messages whose elements lie on grids of local arrays: packed and unpacked piece by piece while
// others are under way.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <mpi.h>

#include "context/packet_pool.hpp"
#include "engine/box_arrays.hpp"
#include "engine/stage_runner.hpp"
#include "routing/box_series.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// One end of a message.
struct BoxEnd {
  Rank peer;
  BoxSeries boxes = {};
  Bytes done = 0;      ///< bytes that were packed, or unpacked
  Packet packet = {};  ///< under way
};

/// A message out and one in; either may be missing.
struct BoxStep {
  std::optional<BoxEnd> out;
  std::optional<BoxEnd> in;
};

/// The messages of a redistribution: each goes as packets of limited length, one at a time. There
/// is memory for one packet for each message that the window allows under way, in either direction.
class BoxMessages final : public StageMessages {
 public:
  /// `arrays` outlives it, and changes between exchanges only.
  BoxMessages(MPI_Comm comm, int tag, Bytes packet, const BoxArrays& arrays)
      : comm_(comm), tag_(tag), packet_(packet), arrays_(arrays) {}

  std::vector<BoxStep>& steps() { return steps_; }

  /// The steps do not change from now on.
  void prepare();

  /// Bytes of packets at a time at this end, at most, with that many messages under way.
  [[nodiscard]] Bytes most(std::optional<BoxEnd> BoxStep::*end, int messages) const;

  Posted post_receive(std::size_t step) override;
  Posted post_send(std::size_t step) override;
  Posted received(std::size_t step, const MPI_Status& status) override;
  Posted sent(std::size_t step) override;
  /// Unpacking takes time that others' packets can use.
  [[nodiscard]] bool prompt() const override { return true; }

 private:
  [[nodiscard]] Bytes next_bytes(const BoxEnd& end) const;
  Posted receive_next(BoxEnd& in);
  Posted send_next(BoxEnd& out);

  MPI_Comm comm_;
  int tag_;
  Bytes packet_;          ///< bytes of a message after which the next packet begins
  Bytes pool_bytes_ = 0;  ///< bytes of the longest packet
  const BoxArrays& arrays_;
  std::vector<BoxStep> steps_;
  std::optional<PacketPool> packets_;
};

}  // namespace shunt
