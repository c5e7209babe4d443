#include "lab/bench/trace_replay.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "lab/bench/allgather_contest.hpp"
#include "lab/traffic/trace_use.hpp"
#include "lab/traffic/traffic_sparse.hpp"
#include "model/narrow.hpp"

namespace shunt::bench {

namespace {

/// Ranks in the world by the trace's ranks. Rank 0 is one of them, since it reports.
std::vector<Rank> players_of(const Trace& head) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<Rank> players = head.world_ranks;
  const bool all_are_here = std::ranges::all_of(players, [=](Rank rank) { return rank < ranks; });
  if (all_are_here && std::ranges::find(players, 0) != players.end()) return players;
  players.resize(static_cast<std::size_t>(head.ranks));
  std::iota(players.begin(), players.end(), 0);
  return players;
}

/// A communicator of the players; MPI_COMM_NULL for those who are none.
class Stage {
 public:
  explicit Stage(const std::vector<Rank>& players) {
    Rank rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const auto place = std::ranges::find(players, rank);
    const bool plays = place != players.end();
    MPI_Comm_split(MPI_COMM_WORLD, plays ? 0 : MPI_UNDEFINED,
                   static_cast<int>(place - players.begin()), &comm_);
  }
  ~Stage() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  [[nodiscard]] MPI_Comm comm() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// A barrier in which nobody keeps a processor from those who are not there yet.
void wait_for_all() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (int over = 0; over == 0;) {
    MPI_Test(&request, &over, MPI_STATUS_IGNORE);
    if (over == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// Tells rank 0's stderr now and then.
class Progress {
 public:
  void tell(std::size_t done, std::size_t all) {
    const auto now = std::chrono::steady_clock::now();
    if (now - said_ < std::chrono::seconds(5)) return;
    said_ = now;
    fmt::print(stderr, "shunt: {} of {} matrices are done\n", done, all);
  }

 private:
  std::chrono::steady_clock::time_point said_ = std::chrono::steady_clock::now();
};

/// By first call.
std::vector<std::size_t> in_order(const Trace& head) {
  std::vector<std::size_t> order;
  std::set<std::size_t> seen;
  for (const TraceCall& call : head.calls) {
    if (seen.insert(call.matrix).second) order.push_back(call.matrix);
  }
  return order;
}

/// Of either kind, for one matrix.
template <class AnyContest>
void hold(AnyContest& contest, std::size_t matrix, Replay& replay) {
  replay.results[matrix] = contest.run();
  replay.exchanges += contest.exchanges();
  replay.wrong_bytes += contest.wrong_bytes();
}

}  // namespace

Replay replay(TraceFile& file, const ContestOptions& options, const ContestOptions& allgathers) {
  const Stage stage(players_of(file.head()));
  Rank rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Replay replay;
  replay.results.resize(file.matrices());
  if (stage.comm() != MPI_COMM_NULL) {
    const int element = narrow<int>(file.head().element_bytes, "the bytes of an element");
    const std::vector<std::size_t> order = in_order(file.head());
    Progress progress;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (file.head().allgathers.contains(order[i])) {
        AllgatherContest contest(stage.comm(), sources_of(file, order[i]), allgathers);
        hold(contest, order[i], replay);
      } else {
        const SparseTraffic traffic("", file.matrix(order[i]));
        AlltoallvContest contest(stage.comm(), traffic, element, options);
        hold(contest, order[i], replay);
      }
      if (rank == 0) progress.tell(i + 1, order.size());
    }
  }
  wait_for_all();
  return replay;
}

}  // namespace shunt::bench
