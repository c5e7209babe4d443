#include "trace/gather_traces.hpp"

#include <algorithm>
#include <climits>
#include <exception>
#include <filesystem>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "environment/environment.hpp"
#include "model/narrow.hpp"
#include "model/say.hpp"
#include "mpi_calls/mpi_call.hpp"

namespace shunt {

namespace {

constexpr Bytes kLongestFile = Bytes{256} << 20;
constexpr std::size_t kMostMatrices = 30'000;

/// The ranks of a communicator that may have been freed.
class Members {
 public:
  explicit Members(const std::vector<Rank>& world_ranks) {
    MPI_Group world = MPI_GROUP_NULL;
    MPI_Group group = MPI_GROUP_NULL;
    check_mpi(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
    check_mpi(MPI_Group_incl(world, narrow<int>(std::ssize(world_ranks), "the number of ranks"),
                             world_ranks.data(), &group),
              "MPI_Group_incl");
    const int code = MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &comm_);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    check_mpi(code, "MPI_Comm_create_group");
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm_, &rank_);
  }
  ~Members() { MPI_Comm_free(&comm_); }
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;

  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] Rank rank() const { return rank_; }
  [[nodiscard]] bool leads() const { return rank_ == 0; }

  /// Element by element over all ranks, on rank 0.
  template <class T>
  void reduce(std::vector<T>& values, MPI_Datatype type, MPI_Op operation) const {
    const void* const own = leads() ? MPI_IN_PLACE : static_cast<const void*>(values.data());
    check_mpi(
        MPI_Reduce(own, values.data(), static_cast<int>(values.size()), type, operation, 0, comm_),
        "MPI_Reduce");
  }

  /// What rank 0 has, on all ranks.
  [[nodiscard]] std::vector<std::int64_t> allgather(std::vector<std::int64_t> values) const {
    std::int64_t size = std::ssize(values);
    check_mpi(MPI_Bcast(&size, 1, MPI_INT64_T, 0, comm_), "MPI_Bcast");
    values.resize(static_cast<std::size_t>(size));
    check_mpi(MPI_Bcast(values.data(), static_cast<int>(size), MPI_INT64_T, 0, comm_), "MPI_Bcast");
    return values;
  }

  /// The ranks' texts, which have less than 2^31 bytes, one after the other, on rank 0.
  [[nodiscard]] std::string gather(const std::string& own) const {
    const auto length = static_cast<int>(own.size());
    int ranks = 0;
    MPI_Comm_size(comm_, &ranks);
    std::vector<int> lengths(static_cast<std::size_t>(leads() ? ranks : 0));
    check_mpi(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm_), "MPI_Gather");
    std::vector<int> places;
    int end = 0;
    for (const int part : lengths) {
      places.push_back(end);
      end += part;
    }
    std::string all(static_cast<std::size_t>(end), '\0');
    // MPI_Gatherv may be the preloaded library's.
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Igatherv(own.data(), length, MPI_BYTE, all.data(), lengths.data(), places.data(),
                           MPI_BYTE, 0, comm_, &request),
              "MPI_Igatherv");
    check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    return all;
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  Rank rank_ = 0;
};

/// Adds the calls from `begin` to `end` on rank 0.
void add_calls(const Members& members, const Recording& own, std::size_t begin, std::size_t end,
               TraceBuilder& builder) {
  std::vector<std::uint64_t> keys;
  // The slowest rank's seconds are the maximum; of the negative ones it is the fastest's.
  std::vector<float> seconds;
  for (std::size_t call = begin; call < end; ++call) {
    const Recording::Row& row = own.row(call);
    const MatrixKey key = key_of_row(members.rank(), row.code, row.kind);
    keys.insert(keys.end(), key.begin(), key.end());
    const float worst =
        own.failed(call) ? std::numeric_limits<float>::infinity() : own.seconds(call);
    seconds.push_back(worst);
    seconds.push_back(-own.seconds(call));
  }
  members.reduce(keys, MPI_UINT64_T, MPI_SUM);
  members.reduce(seconds, MPI_FLOAT, MPI_MAX);
  if (!members.leads()) return;
  for (std::size_t i = 0; i < end - begin; ++i) {
    const double slowest = seconds[2 * i];
    if (slowest == std::numeric_limits<double>::infinity()) {
      builder.skip();
    } else {
      builder.add({keys[2 * i], keys[2 * i + 1]}, own.row(begin + i).function, slowest,
                  -static_cast<double>(seconds[2 * i + 1]));
    }
  }
}

/// How many of the matrices, of which rank 0 knows the lengths, a file takes.
std::size_t matrices_that_fit(const std::vector<std::int64_t>& lengths) {
  std::size_t fit = 0;
  for (Bytes bytes = 0; fit < std::min(lengths.size(), kMostMatrices); ++fit) {
    bytes += lengths[fit];
    if (bytes > kLongestFile) break;
  }
  return fit;
}

/// The codes of all matrices on rank 0; the calls end before the first that does not fit.
std::vector<std::string> gather_matrices(const Members& members, const Recording& own,
                                         TraceBuilder& builder) {
  std::vector<std::int64_t> first_calls = members.allgather(builder.first_calls());
  std::vector<std::int64_t> lengths;
  const auto code = [&](std::int64_t call) { return own.row(static_cast<std::size_t>(call)).code; };
  for (const std::int64_t call : first_calls) lengths.push_back(std::ssize(code(call)));
  members.reduce(lengths, MPI_INT64_T, MPI_SUM);
  const auto fit = static_cast<std::int64_t>(matrices_that_fit(lengths));
  const std::vector<std::int64_t> kept = members.allgather({fit});
  first_calls.resize(static_cast<std::size_t>(kept[0]));
  builder.cut(first_calls.size());
  std::vector<std::string> codes;
  for (const std::int64_t call : first_calls) codes.push_back(members.gather(code(call)));
  return codes;
}

/// A name in the folder that no earlier program has taken.
std::string free_name(const CommunicatorTrace::Identity& identity) {
  const std::filesystem::path folder = environment().trace;
  for (std::int64_t number = identity.number;; ++number) {
    std::filesystem::path path =
        folder / fmt::format("comm-{}-{}{}", identity.leader, number, kTraceSuffix);
    if (!std::filesystem::exists(path)) return path;
  }
}

void write(const CommunicatorTrace& trace, Trace head, const std::vector<std::string>& codes) {
  head.ranks = static_cast<Rank>(trace.world_ranks().size());
  head.communicator = trace.name();
  head.world_ranks = trace.world_ranks();
  const std::string path = free_name(trace.identity());
  write_trace(path, head, codes);
  if (head.complete) return;
  std::int64_t calls = 0;
  for (const TraceCall& call : head.calls) calls += call.repeats;
  say(
      fmt::format("SHUNT_TRACE: {} ends after {} calls: a rank remembers 64 MiB at most, and a "
                  "file takes 256 MiB and 30000 matrices",
                  path, calls));
}

void gather(const CommunicatorTrace& trace) {
  const Recording& own = trace.recording();
  const Members members(trace.world_ranks());
  std::int64_t least[] = {static_cast<std::int64_t>(own.calls()), own.complete() ? 1 : 0};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, least, 2, MPI_INT64_T, MPI_MIN, members.comm()),
            "MPI_Allreduce");
  const auto calls = static_cast<std::size_t>(least[0]);
  if (calls == 0 && least[1] == 1) return;
  constexpr std::size_t kAtOnce = 65536;
  TraceBuilder builder;
  for (std::size_t begin = 0; begin < calls; begin += kAtOnce) {
    add_calls(members, own, begin, std::min(calls, begin + kAtOnce), builder);
  }
  const std::size_t matrices = builder.first_calls().size();
  const std::vector<std::string> codes = gather_matrices(members, own, builder);
  Trace head;
  head.calls = builder.calls();
  for (std::size_t k = 0; k < builder.first_calls().size(); ++k) {
    const auto call = static_cast<std::size_t>(builder.first_calls()[k]);
    if (own.row(call).kind == RowKind::allgather) head.allgathers.insert(k);
  }
  head.complete = least[1] == 1 && codes.size() == matrices;
  const bool empty = head.complete && head.calls.empty();
  if (members.leads() && !empty) write(trace, std::move(head), codes);
}

}  // namespace

void write_traces(std::vector<std::shared_ptr<CommunicatorTrace>> traces) {
  // All ranks have the same order, so of all communicators the first that is not done waits for
  // nobody.
  std::ranges::sort(traces, {}, [](const auto& trace) { return trace->identity(); });
  for (const auto& trace : traces) {
    try {
      gather(*trace);
    } catch (const std::exception& error) {
      say(fmt::format("SHUNT_TRACE: {}", error.what()));
    }
  }
}

}  // namespace shunt
