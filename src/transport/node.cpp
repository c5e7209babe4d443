#include "transport/node.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>

#include <fmt/format.h>
#include <sched.h>

#include "model/node_layout.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "mpi_calls/simulated.hpp"
#include "transport/node_communicator.hpp"

namespace shunt {

namespace {

/// A rank's share of the node's memory: what all of them have divided by them, within bounds.
constexpr Bytes kUsualMemory = Bytes{64} << 20;
constexpr Bytes kLargestShare = Bytes{4} << 20;
constexpr Bytes kSmallestShare = Bytes{1} << 20;
/// The same for half of a region for redistributions. On 4 to 16 ranks that shared two processors
/// twice as much made none faster.
constexpr Bytes kUsualForRedistributions = Bytes{48} << 20;
constexpr Bytes kLargestForRedistributions = Bytes{768} << 10;
constexpr Bytes kSmallestForRedistributions = Bytes{512} << 10;
/// In a share: the announcements, and then the kept region, up to the middle.
constexpr Bytes kAnnouncementsBytes = Region::kLine;
/// With less than this for every receiver in half a kept region the ranks do not share: a pipe to
/// each of them has to have room.
constexpr Bytes kLeastKept = 512;
/// Of the first page of the memory, which its maker has marked.
constexpr Bytes kMark = kPage;

/// The node that SHUNT_NODES puts this rank on, if it is set here.
std::optional<Rank> node_by_name(int rank, int ranks) {
  const char* layout = std::getenv("SHUNT_NODES");
  if (layout == nullptr) return std::nullopt;
  try {
    return read_node_layout(layout, ranks).node_of(rank);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("SHUNT_NODES: {}", error.what()));
  }
}

/// What the ranks of a communicator have in SHUNT_NODES.
struct NamedNodes {
  std::optional<Rank> own;
  bool any = false;
  Rank most = 0;  ///< of all possible nodes, more than the number of each
};

/// Collective over `comm`: the variable may be wrong on some of the ranks, or not be set there.
/// Throws Error on all of them where it cannot be used on one.
NamedNodes named_nodes(MPI_Comm comm) {
  NamedNodes named;
  int world_rank = 0;
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &world_rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &named.most), "MPI_Comm_size");
  std::exception_ptr fault;
  try {
    named.own = node_by_name(world_rank, named.most);
  } catch (...) {
    fault = std::current_exception();
  }
  constexpr int kNobody = -1;
  // Simulated ranks have one environment, so they differ in nothing.
  int found[] = {fault ? world_rank : kNobody, named.own ? 1 : 0};
  if constexpr (!kSimulated) {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, found, 2, MPI_INT, MPI_MAX, comm), "MPI_Allreduce");
  }
  if (fault) std::rethrow_exception(fault);
  if (found[0] != kNobody) {
    throw Error(ErrorKind::argument,
                fmt::format("SHUNT_NODES: rank {} of MPI_COMM_WORLD cannot use what it has there",
                            found[0]));
  }
  named.any = found[1] != 0;
  return named;
}

/// How many processors the ranks of `comm` may run on, together.
int count_processors(MPI_Comm comm) {
  cpu_set_t mine;
  CPU_ZERO(&mine);
  if (::sched_getaffinity(0, sizeof mine, &mine) != 0) CPU_ZERO(&mine);
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &mine, sizeof mine, MPI_BYTE, MPI_BOR, comm),
            "MPI_Allreduce");
  return CPU_COUNT(&mine);
}

}  // namespace

Node::Node(MPI_Comm comm) {
  const NamedNodes named = named_nodes(comm);
  NodeCommunicator node = NodeCommunicator::of_node(comm);
  if (named.any) node = NodeCommunicator::part_of(node.get(), named.own.value_or(named.most));
  Rank rank = 0;
  Rank ranks = 0;
  check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
  ranks_ = gather_from_all(node.get(), rank);
  label_ = named.own.value_or(ranks_.front() + (named.any ? named.most : 0));
  places_.assign(index_of(ranks), -1);
  for (std::size_t k = 0; k < ranks_.size(); ++k) {
    places_[index_of(ranks_[k])] = static_cast<std::int32_t>(k);
  }
  place_ = place_of(rank).value();
  processors_ = count_processors(node.get());
  // Who waits for other nodes alone has nothing to look at: it gives its processor up.
  crowded_ = true;
  // Simulated ranks are charged for what passes through MPI, and run only while others call it; so
  // they share nothing.
  if (ranks_.size() == 1 || kSimulated) return;
  crowded_ = std::ssize(ranks_) > processors_;
  share_memory(node.get());
}

void Node::share_memory(MPI_Comm node) {
  const Bytes size = std::ssize(ranks_);
  share_bytes_ = std::clamp(kUsualMemory / size, kSmallestShare, kLargestShare) / kPage * kPage;
  one_shots_ = {2, ranks_.size(), 0};
  const Bytes kept = share_bytes_ / 2 - kAnnouncementsBytes - Region::bytes(one_shots_);
  one_shots_.half = kept / 2 / Region::kLine * Region::kLine;
  if (one_shots_.half < size * kLeastKept) return;
  const Bytes half = std::clamp(kUsualForRedistributions / size, kSmallestForRedistributions,
                                kLargestForRedistributions);
  redistributions_ = {2, ranks_.size(), half / kPage * kPage};
  rank_bytes_ = share_bytes_ + whole_pages(Region::bytes(redistributions_));
  memory_ = SharedMemory::create(node, kMark + rank_bytes_ * size);
  if (shares()) {
    new (&announcements(place_)) Announcements{};
    (void)Region::lay_out(kept_at(Kept::one_shots, place_), one_shots_);
    arena_.emplace(kAnnouncementsBytes + Region::bytes(one_shots_), share_bytes_);
    (void)Region::lay_out(kept_at(Kept::redistributions, place_), redistributions_);
    processes_.emplace(node);
  }
  check_mpi(MPI_Barrier(node), "MPI_Barrier");
}

std::byte* Node::share(std::size_t place) const {
  return memory_->data() + kMark + rank_bytes_ * static_cast<Bytes>(place);
}

std::byte* Node::kept_at(Kept kind, std::size_t place) const {
  return share(place) + (kind == Kept::one_shots ? kAnnouncementsBytes : share_bytes_);
}

Node::Announcements& Node::announcements(std::size_t place) const {
  static_assert(sizeof(Announcements) <= kAnnouncementsBytes);
  return *reinterpret_cast<Announcements*>(share(place));
}

Region Node::kept_region(Kept kind, std::size_t place) const {
  return {kept_at(kind, place), kind == Kept::one_shots ? one_shots_ : redistributions_};
}

Bytes Node::largest_half(std::size_t tables) {
  reclaim();
  const Bytes room = arena_->largest() - Region::bytes({tables, ranks_.size(), 0});
  return std::max<Bytes>(room / 2 / Region::kLine * Region::kLine, 0);
}

std::optional<Node::Placed> Node::make_region(std::size_t tables, Bytes half) {
  const Region::Shape shape{tables, ranks_.size(), Region::whole_lines(half)};
  const std::optional<Bytes> offset = arena_->take(Region::bytes(shape));
  if (!offset) return std::nullopt;
  return Placed{Region::lay_out(share(place_) + *offset, shape), *offset};
}

Region Node::region_at(std::size_t place, Bytes offset, std::size_t tables) const {
  return Region::found(share(place) + offset, tables, ranks_.size());
}

void Node::reclaim() {
  std::erase_if(retired_, [this](const Retired& retired) {
    const Region& region = retired.placed.region;
    const bool free = std::ranges::all_of(retired.receivers, [&](std::size_t receiver) {
      return region.taken(receiver).load(std::memory_order_acquire) == kTakenForever;
    });
    if (free) arena_->give(retired.placed.offset, Region::bytes(region.shape()));
    return free;
  });
}

void Node::announce(std::uint64_t number, Bytes offset) {
  Announcements& mine = announcements(place_);
  mine.offset[number % 2] = offset;
  mine.number[number % 2].store(number, std::memory_order_release);
}

std::optional<Bytes> Node::announced(std::size_t place, std::uint64_t number) const {
  const Announcements& theirs = announcements(place);
  if (theirs.number[number % 2].load(std::memory_order_acquire) != number) return std::nullopt;
  return theirs.offset[number % 2];
}

}  // namespace shunt
