#include "context/process_set.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "environment/same_on_all_ranks.hpp"
#include "mpi_calls/at_finalize.hpp"
#include "mpi_calls/errors_returned.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "mpi_calls/simulated.hpp"

namespace shunt {

namespace {

int largest_tag() {
  void* value = nullptr;
  int found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found);
  constexpr int kGuaranteed = 32767;
  return found != 0 ? *static_cast<int*>(value) : kGuaranteed;
}

/// A communicator of the same ranks in the same order. MPI_Comm_dup would call what the program has
/// attached to the original.
int create_alike(MPI_Comm comm, MPI_Comm* made) {
  MPI_Group group = MPI_GROUP_NULL;
  check_mpi(MPI_Comm_group(comm, &group), "MPI_Comm_group");
  const int code = MPI_Comm_create(comm, group, made);
  MPI_Group_free(&group);
  return code;
}

/// The most of each number, over all ranks of `comm`.
void take_most(std::span<std::int64_t> numbers, MPI_Comm comm) {
  // Simulated ranks differ in nothing, and each message takes time to simulate.
  if constexpr (kSimulated) return;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()),
                          MPI_INT64_T, MPI_MAX, comm),
            "MPI_Allreduce");
}

/// What the ranks tell each other to find out whether a process set serves.
struct Agreement {
  bool same;                 ///< whether all ranks have one set
  std::int64_t shared;       ///< the most shared sets of a rank
  std::int64_t next_number;  ///< that no rank has used
  std::string environment_difference;
};

/// One reduction over `comm`.
Agreement agree(std::int64_t own, std::int64_t shared, std::int64_t next_number, MPI_Comm comm) {
  const std::vector<std::int64_t> variables = fingerprints();
  std::vector<std::int64_t> most{own, -own, shared, next_number};
  const std::size_t first = most.size();
  most.insert(most.end(), variables.begin(), variables.end());
  for (const std::int64_t number : variables) most.push_back(-number);
  take_most(most, comm);
  std::vector<std::int64_t> least;
  for (std::size_t k = first + variables.size(); k < most.size(); ++k) least.push_back(-most[k]);
  return {most[0] > 0 && most[0] == -most[1], most[2], most[3],
          sentence_on_differences(least, std::span(most).subspan(first, variables.size()))};
}

}  // namespace

/// The process sets that a process has. Any thread may ask.
class ProcessSet::Known {
 public:
  static Known& all() {
    static auto* const kAll = new Known;  // outlives the threads that do not end with the program
    return *kAll;
  }

  /// A shared one of the ranks of `comm` in their order, or null.
  std::shared_ptr<ProcessSet> find(MPI_Comm comm) {
    const std::lock_guard lock(mutex_);
    for (const std::weak_ptr<ProcessSet>& entry : shared_) {
      std::shared_ptr<ProcessSet> set = entry.lock();
      int relation = MPI_UNEQUAL;
      if (set == nullptr || MPI_Comm_compare(comm, set->comm_, &relation) != MPI_SUCCESS) continue;
      if (relation == MPI_CONGRUENT) return set;
    }
    return nullptr;
  }

  [[nodiscard]] std::int64_t shared() {
    const std::lock_guard lock(mutex_);
    std::erase_if(shared_, [](const auto& entry) { return entry.expired(); });
    return std::ssize(shared_);
  }

  [[nodiscard]] std::int64_t next_number() {
    const std::lock_guard lock(mutex_);
    return last_number_ + 1;
  }

  void note_number(std::int64_t number) {
    const std::lock_guard lock(mutex_);
    last_number_ = std::max(last_number_, number);
  }

  void add(const std::shared_ptr<ProcessSet>& set) {
    const std::lock_guard lock(mutex_);
    shared_.push_back(set);
  }

  /// Keeps the set beyond its communicators: programs make such ones again and again.
  void keep(const std::shared_ptr<ProcessSet>& set) {
    std::shared_ptr<ProcessSet> gone;  // freed without the lock
    const std::lock_guard lock(mutex_);
    if (!frees_at_end_) at_finalize([this] { free_kept(); });
    frees_at_end_ = true;
    const auto place = std::ranges::find(kept_, set);
    if (place != kept_.end()) kept_.erase(place);
    kept_.push_front(set);
    if (kept_.size() <= kMostKept) return;
    gone = std::move(kept_.back());
    kept_.pop_back();
  }

 private:
  static constexpr std::size_t kMostKept = 4;

  void free_kept() {
    std::deque<std::shared_ptr<ProcessSet>> gone;
    const std::lock_guard lock(mutex_);
    gone.swap(kept_);
    frees_at_end_ = false;
  }

  std::mutex mutex_;
  std::vector<std::weak_ptr<ProcessSet>> shared_;
  std::deque<std::shared_ptr<ProcessSet>> kept_;  ///< the one used last first
  std::int64_t last_number_ = 0;
  bool frees_at_end_ = false;
};

std::shared_ptr<ProcessSet> ProcessSet::of(MPI_Comm comm, SetSharing sharing) {
  const ErrorsReturned returned(comm);
  Known& known = Known::all();
  const bool shares = sharing == SetSharing::shared;
  std::shared_ptr<ProcessSet> found = shares ? known.find(comm) : nullptr;
  const std::int64_t own = found == nullptr ? 0 : found->number_;
  Agreement all = agree(own, shares ? known.shared() : 0, known.next_number(), comm);
  if (!all.same && all.shared >= kMostShared) {
    throw Error(
        ErrorKind::communicator,
        fmt::format("Shunt has {} communicators of its own, which is the most that it takes",
                    all.shared));
  }
  if (!all.same) {
    known.note_number(all.next_number);
    found.reset(new ProcessSet(comm, all.next_number));
    found->environment_difference_ = std::move(all.environment_difference);
    if (shares) known.add(found);
  }
  if (shares) known.keep(found);
  return found;
}

ProcessSet::ProcessSet(MPI_Comm comm, std::int64_t number)
    : number_(number), largest_tag_(largest_tag()) {
  const int code = create_alike(comm, &comm_);
  std::int64_t failed = code != MPI_SUCCESS ? 1 : 0;
  take_most({&failed, 1}, comm);
  try {
    if (code != MPI_SUCCESS) comm_ = MPI_COMM_NULL;
    if (failed != 0) {
      throw Error(ErrorKind::communicator, "MPI has no communicator left for Shunt");
    }
    check_mpi(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check_mpi(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(comm_, &ranks_), "MPI_Comm_size");
    node_ = std::make_unique<Node>(comm_);
  } catch (...) {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
    throw;
  }
  if (!node_->shares()) return;
  call_channel_.emplace(*node_, Kept::one_shots);
  redistributions_.emplace(*node_, Kept::redistributions);
}

ProcessSet::~ProcessSet() {
  if (mpi_is_running()) MPI_Comm_free(&comm_);
}

int ProcessSet::draw_tag() {
  const int tag = next_tag_;
  next_tag_ = next_tag_ > largest_tag_ - 3 ? 0 : next_tag_ + 2;
  return tag;
}

}  // namespace shunt
