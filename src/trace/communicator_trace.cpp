#include "trace/communicator_trace.hpp"

#include <cerrno>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "environment/environment.hpp"
#include "model/or_nothing.hpp"
#include "model/say.hpp"
#include "model/trace.hpp"
#include "mpi_calls/at_finalize.hpp"
#include "mpi_calls/attribute.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "trace/gather_traces.hpp"

namespace shunt {

namespace {

constexpr Bytes kMemory = Bytes{64} << 20;

/// All that this rank records. It stays when the program ends, for threads that do not.
struct Records {
  std::mutex mutex;
  RecordingMemory memory{kMemory};
  std::vector<std::shared_ptr<CommunicatorTrace>> traces;
  std::int64_t led = 0;
  bool no_folder = false;  ///< which somebody has said
  bool begun = false;      ///< also where a communicator was left out
};

Records& records() {
  static auto* kept = new Records;
  return *kept;
}

void write_all() {
  try {
    write_traces(std::exchange(records().traces, {}));
  } catch (const std::exception& error) {
    say(fmt::format("SHUNT_TRACE: {}", error.what()));
  }
}

/// Makes the folder if need be. What is wrong with it, if anything is.
std::string fault_of_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && access(folder.c_str(), W_OK | X_OK) != 0) {
    error = std::error_code(errno, std::generic_category());
  }
  return error ? fmt::format("cannot write to the folder {}: {}", folder, error.message()) : "";
}

/// What keeps a rank from recording a communicator; the worst of all ranks' is that of each.
enum class Obstacle : std::int64_t { none, left_out, no_folder };

/// Rank 0, which will write the trace, says what it is.
Obstacle obstacle_to(const std::vector<Rank>& world_ranks, bool leads) {
  Records& all = records();
  if (all.no_folder) return Obstacle::no_folder;
  const std::string fault = leads ? fault_of_folder(environment().trace) : "";
  if (!fault.empty()) {
    say(fmt::format("SHUNT_TRACE: {}", fault));
    return Obstacle::no_folder;
  }
  // What a communicator costs beside its calls; enough for the containers, too.
  constexpr std::size_t kOverhead = 512;
  const auto bytes = static_cast<Bytes>(sizeof(Rank) * world_ranks.size() + kOverhead);
  if (!world_ranks.empty() && all.memory.take(bytes)) return Obstacle::none;
  static std::once_flag said;
  std::call_once(said, [&] {
    say(world_ranks.empty()
            ? "SHUNT_TRACE: communicators with ranks of several MPI_COMM_WORLDs are left out"
            : "SHUNT_TRACE: communicators are left out from here on, since a rank remembers 64 MiB "
              "at most");
  });
  return Obstacle::left_out;
}

using KeptTrace = Attribute<OnCommunicator, std::shared_ptr<CommunicatorTrace>>;

/// What a rank brings to the agreement on a trace.
struct Beginning {
  std::shared_ptr<CommunicatorTrace> trace;  ///< among the records
  CommunicatorTrace::Identity identity{-1, -1};
  Obstacle obstacle = Obstacle::left_out;
};

/// All that can fail on this rank alone. The others wait for its word, so nothing is thrown.
Beginning begin_alone(MPI_Comm comm, const std::function<std::string()>& name) noexcept {
  Records& all = records();
  Beginning own;
  try {
    int rank = 0;
    check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    std::vector<Rank> world_ranks = world_ranks_of(comm);
    static std::once_flag at_end;
    std::call_once(at_end, [] { at_finalize(write_all); });
    const std::lock_guard lock(all.mutex);
    all.begun = true;
    const bool leads = rank == 0;
    if (leads && !world_ranks.empty()) own.identity.leader = world_ranks.front();
    if (leads) own.identity.number = all.led++;
    const Obstacle obstacle = obstacle_to(world_ranks, leads);
    if (obstacle == Obstacle::none) {
      own.trace = std::make_shared<CommunicatorTrace>(name(), std::move(world_ranks));
      all.traces.push_back(own.trace);
    }
    own.obstacle = obstacle;
  } catch (const std::exception&) {
    // The communicator is left out.
  }
  return own;
}

/// Collective. Waits for the ranks' agreement by `complete(request)`.
std::shared_ptr<CommunicatorTrace> begin_trace(MPI_Comm comm,
                                               const std::function<std::string()>& name,
                                               const std::function<void(MPI_Request)>& complete) {
  Records& all = records();
  const Beginning own = begin_alone(comm, name);
  std::int64_t largest[] = {own.identity.leader, own.identity.number,
                            static_cast<std::int64_t>(own.obstacle)};
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallreduce(MPI_IN_PLACE, largest, 3, MPI_INT64_T, MPI_MAX, comm, &request),
            "MPI_Iallreduce");
  complete(request);
  const std::lock_guard lock(all.mutex);
  const auto obstacle = static_cast<Obstacle>(largest[2]);
  all.no_folder = obstacle == Obstacle::no_folder;
  if (obstacle == Obstacle::none) {
    own.trace->identify({largest[0], largest[1]});
    return own.trace;
  }
  if (own.trace != nullptr) std::erase(all.traces, own.trace);
  return nullptr;
}

std::shared_ptr<CommunicatorTrace> trace_of(
    MPI_Comm comm, const std::function<std::string()>& name,
    const std::function<void(MPI_Request)>& complete) noexcept {
  try {
    if (const auto* known = KeptTrace::find(comm)) return *known;
    auto made =
        std::make_unique<std::shared_ptr<CommunicatorTrace>>(begin_trace(comm, name, complete));
    return KeptTrace::attach(comm, std::move(made));
  } catch (const std::exception& error) {
    say(fmt::format("SHUNT_TRACE: a communicator is not recorded: {}", error.what()));
    return nullptr;
  }
}

/// `step()` of a recording, which it leaves out if there is no memory for it.
template <class Step>
auto guarded(Step&& step) noexcept -> decltype(step()) {
  const std::lock_guard lock(records().mutex);
  return or_nothing(step);
}

}  // namespace

bool has_begun_traces() {
  const std::lock_guard lock(records().mutex);
  return records().begun;
}

std::shared_ptr<CommunicatorTrace> CommunicatorTrace::of(const Context& context) noexcept {
  return trace_of(
      context.comm(), [&] { return context.name(); },
      [&](MPI_Request request) { context.progress.complete(request); });
}

std::shared_ptr<CommunicatorTrace> CommunicatorTrace::of(MPI_Comm comm) noexcept {
  return trace_of(
      comm, [&] { return name_of(comm); },
      [](MPI_Request request) { check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait"); });
}

CommunicatorTrace::CommunicatorTrace(std::string name, std::vector<Rank> world_ranks)
    : name_(std::move(name)), world_ranks_(std::move(world_ranks)), recording_(records().memory) {}

std::optional<std::uint32_t> CommunicatorTrace::keep(const char* function,
                                                     const std::vector<Bytes>& sent,
                                                     RowKind kind) noexcept {
  return guarded([&] {
    if (kind == RowKind::allgather) return recording_.keep(function, block_code(sent[0]), kind);
    SparseRow row;
    for (std::size_t k = 0; k < sent.size(); ++k) {
      if (sent[k] > 0) row.push_back({static_cast<Rank>(k), sent[k]});
    }
    return recording_.keep(function, row_code(row));
  });
}

std::optional<std::size_t> CommunicatorTrace::begin(std::optional<std::uint32_t> row) noexcept {
  return guarded([&] { return recording_.begin(row); });
}

void CommunicatorTrace::spend(std::size_t call, double seconds) noexcept {
  const std::lock_guard lock(records().mutex);
  recording_.spend(call, seconds);
}

void CommunicatorTrace::fail(std::size_t call) noexcept {
  const std::lock_guard lock(records().mutex);
  recording_.fail(call);
}

}  // namespace shunt
