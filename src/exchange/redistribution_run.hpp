// A planned redistribution: every rank's elements go straight to where they belong.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/redistribution/redistribution.hpp"
#include "exchange/box_cargo.hpp"
#include "exchange/node/plan_sharing.hpp"
#include "exchange/planned_exchange.hpp"
#include "exchange/stage_runner.hpp"
#include "exchange/yard_state.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// What of its two arrays a rank keeps where.
struct LocalArrays {
  std::vector<Bytes> from_strides;  ///< bytes, by dimension
  std::vector<Bytes> to_strides;
  Bytes element;
};

/// Ranks of one node pass elements through its memory, packed by one and unpacked by the other;
/// packets go to other nodes. What a rank keeps goes straight from array to array.
class RedistributionRun final : public PlannedExchange {
 public:
  /// Collective over the node. `packet` is at least one byte.
  RedistributionRun(const std::shared_ptr<YardState>& yard, const Options& options,
                    const Redistribution& redistribution, const LocalArrays& arrays);

  /// Where the arrays lie, from the next execution on; they do not overlap.
  void bind(const std::byte* from, std::byte* to);

  bool advance(bool wait) override;

 private:
  /// A message that the memory of the node holds whole.
  struct Shown {
    PlanSharing::Place place;
    BoxEnd end;
  };

  bool begin() override;
  /// Packs what leaves first, if there is room for it.
  bool pack();
  void copy_own();
  void plan_steps(const std::vector<BoxMessage>& sends, const std::vector<BoxMessage>& receives);
  void share();
  void take_shared();
  [[nodiscard]] std::byte* at(const PlanSharing::Place& place) const {
    return place.at + (sharing_->odd() ? place.shift : 0);
  }

  Options options_;
  BoxCargo cargo_;
  StageRunner runner_;
  std::unique_ptr<PlanSharing> sharing_;  ///< null: all messages go through MPI
  std::vector<Shown> shown_;
  std::vector<std::optional<Shown>> seen_;  ///< by step
  std::vector<std::unique_ptr<BoxEnd>> piped_;
  std::optional<BoxCursor> own_from_;
  std::optional<BoxCursor> own_to_;
  Bytes own_bytes_ = 0;
  const std::byte* from_ = nullptr;
  std::byte* to_ = nullptr;
  bool packed_ = true;
  bool streaming_ = false;  ///< whether what arrives is written past the caches
};

}  // namespace shunt
