#include "shunt/yard.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bindings/typed_blocks.hpp"
#include "exchange/block_exchange.hpp"
#include "exchange/direct_exchange.hpp"
#include "exchange/mpi_call.hpp"
#include "exchange/record_exchange.hpp"
#include "exchange/yard_state.hpp"
#include "planner/choose.hpp"
#include "planner/plan_choice.hpp"

namespace shunt {

namespace {

constexpr const char* kAuto = "auto";

/// A one-shot exchange knows nothing of the other ranks' counts, and finding out would cost more
/// than most exchanges: it goes straight.
Options for_one_shot(const Options& options) {
  Options chosen = options;
  if (chosen.algorithm == kAuto) chosen.algorithm = "a1";
  return chosen;
}

/// Throws Error(argument) where the algorithm's restriction forbids one of this rank's blocks.
const Schedule& schedule_for(YardState& yard, const Options& options, const SendBlocks& send,
                             const ReceiveBlocks& receive) {
  const Schedule& schedule = yard.schedule(options.algorithm, options.grain);
  if (schedule.carries_all) return schedule;
  const Algorithm& algorithm = *schedule.algorithm;
  auto check = [&](Rank source, Rank destination, Bytes bytes) {
    if (bytes == 0 || algorithm.carries(source, destination)) return;
    throw Error(ErrorKind::argument,
                fmt::format("rank {} has {} bytes for rank {}, a pair that algorithm {} does not "
                            "carry",
                            source, bytes, destination, algorithm.name()));
  };
  for (Rank peer = 0; peer < yard.ranks(); ++peer) {
    check(yard.rank(), peer, send.bytes[static_cast<std::size_t>(peer)]);
    check(peer, yard.rank(), receive.bytes[static_cast<std::size_t>(peer)]);
  }
  return schedule;
}

Counters exchange_blocks(YardState& yard, const Options& options, Bytes head_bytes,
                         const SendBlocks& send, const ReceiveBlocks& receive) {
  const Schedule& schedule = schedule_for(yard, options, send, receive);
  if (schedule.algorithm->stages() == 1) {
    return DirectExchange(yard, schedule, options, send, receive).run();
  }
  return BlockExchange(yard, schedule, options, head_bytes, send, receive).run();
}

}  // namespace

class Plan::Implementation {
 public:
  Implementation(const std::shared_ptr<YardState>& yard, const Options& options,
                 const SendBlocks& send, const ReceiveBlocks& receive)
      : yard_(yard), options_(options) {
    if (options_.algorithm == kAuto) {
      choice_ = choose_plan(yard, options, send, receive);
      options_.algorithm = choice_.algorithm;
    } else if (options.algorithm != kNative) {
      (void)schedule_for(*yard, options, send, receive);
    }
    exchange_ = make_plan(yard, options_, send, receive);
  }

  Implementation(const std::shared_ptr<YardState>& yard, const Options& options,
                 std::unique_ptr<TypedBlocks> send, std::unique_ptr<TypedBlocks> receive)
      : Implementation(yard, options, send->to_send(), receive->to_receive()) {
    send_ = std::move(send);
    receive_ = std::move(receive);
  }

  void start() {
    exchange_->expect_idle();
    if (send_) send_->pack();
    pending_ = true;
    exchange_->start();
  }

  void wait() {
    exchange_->wait();
    unpack();
  }

  bool test() {
    if (!exchange_->test()) return false;
    unpack();
    return true;
  }

  [[nodiscard]] const Counters& counters() const { return exchange_->counters; }

  [[nodiscard]] std::string explain() const {
    std::string text = fmt::format("{} on {} ranks, {} mode\n", options_.algorithm, yard_->ranks(),
                                   name_of(options_.mode));
    for (const Trial& trial : choice_.trials) {
      text += fmt::format("  tried {:<12} {:>10.1f} us\n", trial.algorithm, trial.seconds * 1e6);
    }
    if (options_.algorithm == kNative) return text;
    const Algorithm& algorithm = *yard_->schedule(options_.algorithm, options_.grain).algorithm;
    for (std::size_t stage = 0; stage < counters().stages.size(); ++stage) {
      const StageCounters& counted = counters().stages[stage];
      text += fmt::format("  {:<21} {:>5} messages in, {:>11} bytes, longest {:>11}\n",
                          algorithm.stage_name(static_cast<int>(stage)), counted.messages_received,
                          counted.received, counted.longest_received);
    }
    return text + fmt::format("  buffers: {} bytes to send, {} to receive\n",
                              counters().peak_send_buffer, counters().peak_receive_buffer);
  }

 private:
  void unpack() {
    if (pending_ && receive_) receive_->unpack();
    pending_ = false;
  }

  std::shared_ptr<YardState> yard_;
  Options options_;
  std::unique_ptr<TypedBlocks> send_;  ///< null: the buffers are used as they are
  std::unique_ptr<TypedBlocks> receive_;
  PlanChoice choice_;  ///< empty: the caller chose
  std::unique_ptr<PlannedExchange> exchange_;
  bool pending_ = false;  ///< started, and what arrived is not unpacked yet
};

Plan::Plan(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;
Plan::~Plan() = default;

void Plan::start() { implementation_->start(); }
void Plan::wait() { implementation_->wait(); }
bool Plan::test() { return implementation_->test(); }
void Plan::execute() {
  start();
  wait();
}
const Counters& Plan::counters() const { return implementation_->counters(); }
std::string Plan::explain() const { return implementation_->explain(); }

Yard::Yard(MPI_Comm comm) : state_(YardState::of(comm)) {}

Rank Yard::rank() const { return state_->rank(); }
Rank Yard::ranks() const { return state_->ranks(); }

Counters Yard::alltoallv_bytes(std::span<const std::byte> send, const Layout& send_layout,
                               std::span<std::byte> receive, const Layout& receive_layout,
                               std::size_t element, const Options& options) {
  const SendBlocks out = send_blocks(send, send_layout, element, ranks());
  const ReceiveBlocks in = receive_blocks(receive, receive_layout, element, ranks());
  return exchange_blocks(*state_, for_one_shot(options), kHeadBytes, out, in);
}

Counters Yard::alltoallv(const void* send, const Layout& send_layout, MPI_Datatype send_type,
                         void* receive, const Layout& receive_layout, MPI_Datatype receive_type,
                         const Options& options) {
  TypedBlocks out(*state_, send, send_layout, send_type, "send");
  TypedBlocks in(*state_, receive, receive_layout, receive_type, "receive");
  out.pack();
  Counters counters =
      exchange_blocks(*state_, for_one_shot(options), kHeadBytes, out.to_send(), in.to_receive());
  in.unpack();
  return counters;
}

Plan Yard::plan_bytes(std::span<const std::byte> send, const Layout& send_layout,
                      std::span<std::byte> receive, const Layout& receive_layout,
                      std::size_t element, const Options& options) {
  return Plan(std::make_unique<Plan::Implementation>(
      state_, options, send_blocks(send, send_layout, element, ranks()),
      receive_blocks(receive, receive_layout, element, ranks())));
}

Plan Yard::plan_alltoallv(const void* send, const Layout& send_layout, MPI_Datatype send_type,
                          void* receive, const Layout& receive_layout, MPI_Datatype receive_type,
                          const Options& options) {
  return Plan(std::make_unique<Plan::Implementation>(
      state_, options, std::make_unique<TypedBlocks>(*state_, send, send_layout, send_type, "send"),
      std::make_unique<TypedBlocks>(*state_, receive, receive_layout, receive_type, "receive")));
}

std::vector<Bytes> Yard::transpose_counts(const std::vector<Bytes>& counts) {
  if (counts.size() != static_cast<std::size_t>(ranks())) {
    throw Error(ErrorKind::count, fmt::format("there are {} counts; the communicator has {} ranks",
                                              counts.size(), ranks()));
  }
  std::vector<Bytes> received(counts.size());
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ialltoall(counts.data(), 1, MPI_INT64_T, received.data(), 1, MPI_INT64_T,
                          state_->comm(), &request),
            "MPI_Ialltoall");
  state_->complete(request);
  return received;
}

RawBuffer Yard::exchange_records(std::span<const std::byte> records, std::size_t record_bytes,
                                 const RecordClassifier* classifier,
                                 std::span<const Rank> destinations, const Options& options,
                                 Counters* counters) {
  const std::size_t count = records.size() / record_bytes;
  if (classifier == nullptr && destinations.size() != count) {
    throw Error(ErrorKind::count, fmt::format("there are {} destinations for {} records",
                                              destinations.size(), count));
  }
  const Options chosen = for_one_shot(options);
  RecordExchange exchange(*state_, state_->schedule(chosen.algorithm, chosen.grain), chosen,
                          record_bytes, {classifier, destinations});
  Counters counted;
  RawBuffer received = exchange.run(records, counted);
  if (counters != nullptr) *counters = std::move(counted);
  return received;
}

class BoundedPlan::Implementation {
 public:
  Implementation(std::shared_ptr<YardState> yard, const Options& options, Bytes largest_load)
      : yard_(std::move(yard)), options_(options), largest_load_(largest_load) {
    if (largest_load < 0) {
      throw Error(ErrorKind::argument,
                  fmt::format("the bound on a rank's load is {}, which is negative", largest_load));
    }
    const TrafficBound traffic{largest_load, largest_load};
    if (options_.algorithm == kAuto) {
      options_.algorithm = likely_algorithms(yard_->ranks(), traffic, kTypicalLink).front();
    }
    const Algorithm& algorithm = *yard_->schedule(options_.algorithm, options_.grain).algorithm;
    for (int stage = 0; stage + 1 < algorithm.stages(); ++stage) {
      for (Rank rank = 0; rank < yard_->ranks(); ++rank) {
        longest_ = std::max(longest_, algorithm.bound(stage, rank, traffic).longest_message);
      }
    }
  }

  Counters execute(const SendBlocks& send, const ReceiveBlocks& receive) {
    for (const std::vector<Bytes>* side : {&send.bytes, &receive.bytes}) {
      if (total_bytes(*side) > largest_load_) {
        throw Error(ErrorKind::count,
                    fmt::format("rank {} {} {} bytes, more than the plan's bound of {}",
                                yard_->rank(), side == &send.bytes ? "sends" : "receives",
                                total_bytes(*side), largest_load_));
      }
    }
    // A table of contents takes at most ten bytes for each length and five for each destination.
    constexpr Bytes kLongestEntry = 15;
    const Bytes label = LabelledCargo::kPrefix + kLongestEntry * (yard_->ranks() + 1);
    const Bytes head = std::min(longest_ + label, kLongestHead);
    return exchange_blocks(*yard_, options_, head, send, receive);
  }

  [[nodiscard]] Rank ranks() const { return yard_->ranks(); }

 private:
  /// MPI tells the length of a message that was not known before as an int.
  static constexpr Bytes kLongestHead = Bytes{1} << 30;

  std::shared_ptr<YardState> yard_;
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
  return implementation_->execute(
      send_blocks(send, send_layout, element, implementation_->ranks()),
      receive_blocks(receive, receive_layout, element, implementation_->ranks()));
}

BoundedPlan Yard::plan_bounded(Bytes largest_load, const Options& options) {
  return BoundedPlan(std::make_unique<BoundedPlan::Implementation>(state_, options, largest_load));
}

}  // namespace shunt
