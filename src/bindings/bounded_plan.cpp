// One-shot exchanges of which a bound on every rank's load is known.
#include <algorithm>

#include <fmt/format.h>

#include "bindings/agreed.hpp"
#include "bindings/byte_blocks.hpp"
#include "bindings/named_options.hpp"
#include "bindings/plan_implementation.hpp"
#include "bindings/side_parts.hpp"
#include "collective/alltoallv/alltoallv.hpp"
#include "context/context.hpp"
#include "engine/block_stage.hpp"
#include "planner/choose.hpp"
#include "planner/memory_limit.hpp"
#include "shunt/communicator.hpp"

namespace shunt {

class BoundedPlan::Implementation {
 public:
  Implementation(std::shared_ptr<Context> context, const Options& options, Bytes largest_load)
      : context_(std::move(context)), largest_load_(largest_load) {
    options_ = agreed(*context_, [&] {
      if (largest_load >= 0) return Options(NamedOptions(options));
      throw Error(ErrorKind::argument,
                  fmt::format("the bound on a rank's load is {}, which is negative", largest_load));
    });
    const TrafficBound traffic{largest_load, largest_load};
    if (options_.algorithm == kAuto && options_.memory > 0) options_.algorithm = kStraight;
    if (options_.algorithm == kAuto) {
      const auto profile = context_->tuning.profile();
      const auto machine = context_->topology.machine();
      const Surroundings surroundings = context_->topology.surroundings();
      options_ = expected_exchanges({*profile, surroundings, *machine,
                                     any_traffic(traffic, context_->ranks()), CallForm::one_shot,
                                     options_})
                     .front();
    }
    const Algorithm& algorithm = *one_shot_schedule(*context_, options_).algorithm;
    for (int stage = 0; stage + 1 < algorithm.stages(); ++stage) {
      for (Rank rank = 0; rank < context_->ranks(); ++rank) {
        longest_ = std::max(longest_, algorithm.bound(stage, rank, traffic).longest_message);
      }
    }
  }

  void expect_load(const SendBlocks& send, const ReceiveBlocks& receive) const {
    for (const std::vector<Bytes>* side : {&send.bytes, &receive.bytes}) {
      if (total_bytes(*side) > largest_load_) {
        throw Error(ErrorKind::count,
                    fmt::format("rank {} {} {} bytes, more than the plan's bound of {}",
                                context_->rank(), side == &send.bytes ? "sends" : "receives",
                                total_bytes(*side), largest_load_));
      }
    }
    const std::size_t own = index_of(context_->rank());
    expect_own_block(context_->rank(), send.bytes[own], receive.bytes[own]);
  }

  Counters execute(const SendBlocks& send, const ReceiveBlocks& receive) {
    // A table of contents takes at most ten bytes for each length and five for each destination.
    constexpr Bytes kLongestEntry = 15;
    const Bytes label = LabelledMessages::kPrefix + kLongestEntry * (context_->ranks() + 1);
    const Bytes head = std::min(longest_ + label, kLongestHead);
    PlainParts buffers(&send, &receive);
    return run_traced({alltoallv(), context_, options_, head}, "plan_bounded", buffers);
  }

  [[nodiscard]] Rank ranks() const { return context_->ranks(); }

 private:
  /// MPI tells the length of a message that was not known before as an int.
  static constexpr Bytes kLongestHead = Bytes{1} << 30;

  std::shared_ptr<Context> context_;
  Options options_;
  Bytes largest_load_;
  Bytes longest_ = 0;  ///< message of any stage but the last, whose lengths are known
};

BoundedPlan::BoundedPlan(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
BoundedPlan::BoundedPlan(BoundedPlan&&) noexcept = default;
BoundedPlan& BoundedPlan::operator=(BoundedPlan&&) noexcept = default;
BoundedPlan::~BoundedPlan() = default;

Counters BoundedPlan::execute_bytes(std::span<const std::byte> send, const Layout& send_layout,
                                    std::span<std::byte> receive, const Layout& receive_layout,
                                    std::size_t element) {
  SendBlocks out;
  ReceiveBlocks in;
  const Rank ranks = implementation_->ranks();
  const auto read = [&] {
    read_blocks(out, send, send_layout, element, ranks);
    read_blocks(in, receive, receive_layout, element, ranks);
    implementation_->expect_load(out, in);
  };
  const auto leave_out = [&] {
    clear_blocks(out, ranks);
    clear_blocks(in, ranks);
  };
  return take_part(read, leave_out, [&] { return implementation_->execute(out, in); });
}

BoundedPlan Communicator::plan_bounded(Bytes largest_load, const Options& options) {
  return BoundedPlan(std::make_unique<BoundedPlan::Implementation>(state_, options, largest_load));
}

}  // namespace shunt
