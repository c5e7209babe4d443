#include "exchange/context.hpp"

#include <algorithm>
#include <thread>

#include "algorithms/broadcast_registry.hpp"
#include "algorithms/registry.hpp"
#include "exchange/agreed_profile.hpp"
#include "exchange/mpi_call.hpp"
#include "exchange/simulated.hpp"
#include "exchange/torus_shape.hpp"
#include "model/narrow.hpp"

namespace shunt {

namespace {

constinit const std::shared_ptr<Context> kNone;

bool threads_share_mpi() {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  return level == MPI_THREAD_MULTIPLE;
}

std::vector<ActiveRun*>& runs_of_all_communicators() {
  static std::vector<ActiveRun*> runs;
  return runs;
}

/// Steps of a node's ranks under way at a time where messages go in packets. By trial on four hosts
/// with links of 200 Mbit/s and blocks of 64 KiB to 1 MiB: half as many left links idle, four times
/// as many lost packets.
constexpr std::size_t kStepsUnderWay = 8;

/// Tokens that go round in each node; 0: the order alone keeps to the ports.
std::size_t tokens_of(const Options& options) {
  if (options.mode == Mode::blocking) return 1;
  return options.packet > 0 ? kStepsUnderWay : 0;
}

Schedule make_schedule(std::unique_ptr<Algorithm> made, Rank rank, std::size_t tokens) {
  Schedule schedule{std::move(made), {}, {}, true};
  const Algorithm& algorithm = *schedule.algorithm;
  const Machine* const machine = tokens > 0 ? algorithm.spares_ports_of() : nullptr;
  for (int stage = 0; stage < algorithm.stages(); ++stage) {
    schedule.steps.push_back(algorithm.steps(stage, rank));
    schedule.turns.emplace_back();
    if (machine == nullptr) continue;
    schedule.turns.back() = port_turns(
        *machine, rank, [&](Rank mate) { return algorithm.steps(stage, mate); }, tokens);
  }
  for (Rank peer = 0; peer < algorithm.ranks(); ++peer) {
    if (algorithm.carries(rank, peer) && algorithm.carries(peer, rank)) continue;
    schedule.carries_all = false;
  }
  return schedule;
}

}  // namespace

Window within_limits(Window window, const Algorithm& algorithm) {
  window.bytes = std::min(window.bytes, algorithm.most_under_way());
  return window;
}

std::shared_ptr<Context> Context::of(MPI_Comm comm, SetSharing sharing) {
  const KnownCommunicator* known = KnownCommunicator::find_again(comm);
  if (known != nullptr && known->context != nullptr) return known->context;
  if (!mpi_is_running()) throw Error(ErrorKind::communicator, kMpiIsNotRunning);
  if (comm == MPI_COMM_NULL)
    throw Error(ErrorKind::communicator, "the communicator is MPI_COMM_NULL");
  known = KnownCommunicator::find(comm);
  if (known != nullptr && known->context != nullptr) return known->context;

  int inter = 0;
  check_mpi(MPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
  if (inter != 0) {
    throw Error(ErrorKind::communicator,
                "the communicator is an intercommunicator; Shunt exchanges "
                "within one group");
  }
  auto made = std::make_shared<Context>(comm, sharing);
  return KnownCommunicator::of(comm).context = std::move(made);
}

[[gnu::hot]] const std::shared_ptr<Context>& Context::known(MPI_Comm comm) {
  const auto* found = KnownCommunicator::find_again(comm);
  if (found == nullptr && comm != MPI_COMM_NULL && mpi_is_running()) {
    found = KnownCommunicator::find(comm);
  }
  return found != nullptr ? found->context : kNone;
}

Context::Context(MPI_Comm comm, SetSharing sharing)
    : active(threads_share_mpi() ? own_runs_ : runs_of_all_communicators()),
      set_(ProcessSet::of(comm, threads_share_mpi() ? SetSharing::own : sharing)),
      name_(name_of(comm)),
      grid_(cartesian_shape(comm)) {}

Bytes Context::Buffers::capacity() const {
  Bytes bytes = staged.capacity();
  for (const auto* pair : {&send, &self, &heads})
    bytes += (*pair)[0].capacity() + (*pair)[1].capacity();
  return bytes;
}

void Context::Buffers::release() {
  staged.release();
  for (auto* pair : {&send, &self, &heads}) {
    (*pair)[0].release();
    (*pair)[1].release();
  }
}

void Context::help_active() const noexcept {
  // A run that ends takes itself off the list.
  for (std::size_t k = 0; k < active.size();) {
    ActiveRun* const run = active[k];
    run->help();
    if (k < active.size() && active[k] == run) ++k;
  }
}

void Context::relax() const {
  // Where every rank has a processor, looking again at once finds most messages; giving it up takes
  // longer, and a look into MPI too.
  constexpr unsigned kLooksWhereCrowded = 32;
  constexpr unsigned kLooks = 128;
  constexpr unsigned kLooksBeforeYield = 1024;
  ++idle_;
  const bool crowded = set_->node().crowded();
  if (idle_ % (crowded ? kLooksWhereCrowded : kLooks) == 0) progress();
  if (crowded || idle_ % kLooksBeforeYield == 0) std::this_thread::yield();
}

void Context::progress() const {
  int found = 0;
  check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm(), &found, MPI_STATUS_IGNORE),
            "MPI_Iprobe");
}

void Context::complete(std::span<MPI_Request> requests) const {
  if (requests.empty()) return;
  const auto count = static_cast<int>(requests.size());
  advance_to_end([&](bool wait) {
    int through = 1;
    if (wait) {
      check_mpi(MPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    } else {
      check_mpi(MPI_Testall(count, requests.data(), &through, MPI_STATUSES_IGNORE), "MPI_Testall");
    }
    return through != 0;
  });
}

std::vector<Bytes> Context::announce(Bytes mine) {
  const std::uint64_t number = set_->draw_announcement();
  Node& here = node();
  here.announce(number, mine);
  std::vector<Bytes> announced;
  advance_to_end([&](bool wait) {
    while (announced.size() < here.ranks().size()) {
      const std::optional<Bytes> offset = here.announced(announced.size(), number);
      if (!offset) {
        if (wait) relax();
        return false;
      }
      announced.push_back(*offset);
    }
    return true;
  });
  return announced;
}

void Context::reduce(const void* own, void* all, int count, MPI_Datatype type,
                     MPI_Op operation) const {
  if constexpr (kSimulated) {
    // As in `machine`, and "auto" tries its candidates with many of them.
    check_mpi(MPI_Allreduce(own, all, count, type, operation, comm()), "MPI_Allreduce");
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallreduce(own, all, count, type, operation, comm(), &request), "MPI_Iallreduce");
  complete(request);
}

std::string Context::text_of_first(std::string own) const {
  const auto tell = [this](void* data, int bytes) {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Ibcast(data, bytes, MPI_BYTE, 0, comm(), &request), "MPI_Ibcast");
    complete(request);
  };
  auto length = narrow<int>(own.size(), "the length of a text for all ranks");
  tell(&length, sizeof length);
  own.resize(static_cast<std::size_t>(length));
  if (length > 0) tell(own.data(), length);
  return own;
}

std::vector<std::optional<std::int64_t>> Context::drawn() const {
  std::optional<std::int64_t> redistributed;
  if (set_->redistributions() != nullptr) {
    redistributed = static_cast<std::int64_t>(set_->redistributions()->drawn());
  }
  // Who asks first asks all others.
  const bool asked[] = {set_->machine() != nullptr, profile_ != nullptr, torus_.has_value()};
  return {set_->next_tag(), redistributed, asked[0], asked[1], asked[2]};
}

std::shared_ptr<const Machine> Context::machine() {
  if (set_->machine() != nullptr) return set_->machine();
  const Rank mine = node().label();
  std::vector<Rank> labels(index_of(ranks()));
  if constexpr (kSimulated) {
    // SMPI's non-blocking one has all messages of all ranks under way at once, which takes minutes
    // to simulate on 1024 ranks.
    check_mpi(MPI_Allgather(&mine, 1, MPI_INT32_T, labels.data(), 1, MPI_INT32_T, comm()),
              "MPI_Allgather");
  } else {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(
        MPI_Iallgather(&mine, 1, MPI_INT32_T, labels.data(), 1, MPI_INT32_T, comm(), &request),
        "MPI_Iallgather");
    complete(request);
  }
  set_->machine() = std::make_shared<const Machine>(Machine::of_labels(labels));
  return set_->machine();
}

std::shared_ptr<const Profile> Context::profile() {
  if (profile_ == nullptr) profile_ = std::make_shared<const Profile>(agree_on_profile(*this));
  return profile_;
}

Surroundings Context::surroundings() {
  return {[this] { return machine(); },
          [this] {
            if (!torus_) torus_ = torus_of(*this);
            return *torus_;
          }};
}

const Schedule& Context::schedule(const std::string& algorithm, const Options& options) {
  const Bytes grain = options.grain;
  const std::size_t tokens = tokens_of(options);
  for (const KeptSchedule& kept : schedules_) {
    if (kept.algorithm == algorithm && kept.grain == grain && kept.tokens == tokens) {
      return kept.schedule;
    }
  }
  auto made = make_algorithm(algorithm, ranks(), grain, surroundings());
  schedules_.push_back({algorithm, grain, tokens, make_schedule(std::move(made), rank(), tokens)});
  return schedules_.back().schedule;
}

KeptBroadcasts::Kept& Context::broadcast(const std::string& name, const ReceiveBlocks& blocks,
                                         RouteKind kind) {
  const KeptBroadcasts::Key key{name, kind, blocks.bytes, blocks.offsets};
  if (KeptBroadcasts::Kept* known = broadcasts_.find(key)) return *known;
  auto made = make_broadcast(name, Sources(blocks.bytes), surroundings());
  return broadcasts_.add(key, make_route(std::move(made), rank(), node(), blocks.offsets, kind));
}

const std::shared_ptr<Boards>& Context::kept_boards() {
  if (!set_->boards()) set_->boards() = Boards::make(*this, Boards::kLongestRound);
  return *set_->boards();
}

void Context::expect_broadcast(const std::string& name) {
  if (usable_broadcasts_.contains(name)) return;
  const std::vector<Bytes> nothing(index_of(ranks()), 0);
  (void)make_broadcast(name, Sources(nothing), surroundings());
  usable_broadcasts_.insert(name);
}

}  // namespace shunt
