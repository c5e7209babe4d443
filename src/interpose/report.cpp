#include "interpose/report.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "environment/environment.hpp"
#include "environment/variables.hpp"
#include "interpose/next.hpp"
#include "interpose/statistics.hpp"
#include "model/counted.hpp"
#include "model/or_nothing.hpp"
#include "model/say.hpp"
#include "model/size_signal.hpp"
#include "model/trace.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "trace/communicator_trace.hpp"

namespace shunt::interpose {

namespace {

std::string first_line() {
  const Environment& chosen = environment();
  if (chosen.disabled) {
    return fmt::format("version {}, {}; SHUNT_DISABLE leaves all to MPI", SHUNT_VERSION,
                       mpi_library());
  }
  return fmt::format("version {}, {}; algorithm {}, mode {}", SHUNT_VERSION, mpi_library(),
                     chosen.options.algorithm, name_of(chosen.options.mode));
}

std::string last_line(const Statistics& statistics) {
  SiteStatistics all;
  for (const auto& [place, site] : statistics) all.add(site);
  const std::int64_t by_shunt = all.calls - all.native_calls();
  return fmt::format(
      "{} from {}: {} by Shunt, {} by MPI; {} sent, at most {:.6f} s in one place on one rank",
      counted(all.calls, "call"), counted(statistics.size(), "place"), by_shunt, all.native_calls(),
      counted(all.sent, "byte"), all.seconds_slowest);
}

nlohmann::ordered_json whole_report(const Statistics& statistics) {
  const Environment& chosen = environment();
  int ranks = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return {{"format", "shunt-statistics"},
          {"version", 1},
          {"shunt", SHUNT_VERSION},
          {"mpi", mpi_library()},
          {"ranks", ranks},
          {"algorithm", chosen.options.algorithm},
          {"allgather", chosen.allgather.algorithm},
          {"mode", name_of(chosen.options.mode)},
          {"check", chosen.check},
          {"disabled", chosen.disabled},
          {"call_sites", to_json(statistics)}};
}

void write_file(const std::string& name, const std::string& text) {
  const NoSizeSignal until_then;
  errno = 0;
  std::ofstream file(name);
  file << text << '\n';
  file.close();
  if (file) return;
  say(fmt::format("SHUNT_STATS: cannot write {}: {}", name, std::strerror(errno)));
}

void report_all() {
  // The other ranks wait in `gather`.
  const Statistics statistics = gather(or_nothing(own_statistics));
  if (world_rank() != 0) return;
  const Environment& chosen = environment();
  if (chosen.verbose) say(last_line(statistics));
  if (!chosen.statistics.empty()) {
    write_file(chosen.statistics, text_of(whole_report(statistics), 2));
  }
}

/// Traces that are in the folder of SHUNT_TRACE now.
std::int64_t count_traces() {
  std::error_code none;
  std::int64_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(environment().trace, none)) {
    count += entry.path().extension() == kTraceSuffix ? 1 : 0;
  }
  return count;
}

}  // namespace

Rank world_rank() {
  Rank rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

void report_first_use() noexcept {
  static std::atomic_flag said;
  if (said.test_and_set()) return;
  or_nothing([] {
    if (world_rank() != 0) return;
    say(first_line());
    report_unreachable_tools();
  });
}

void report_misspelt() noexcept {
  static std::atomic_flag said;
  if (said.test() || !mpi_is_running() || said.test_and_set()) return;
  or_nothing([] {
    if (world_rank() != 0) return;
    for (const std::string& sentence : misspelt_variables()) say(sentence);
  });
}

void report_no_init() noexcept {
  static std::atomic_flag said;
  if (said.test_and_set()) return;
  std::fputs(
      "shunt: nobody has called MPI_Init: the calls of a session are MPI's own, and no "
      "statistics count them\n",
      stderr);
}

void report_end() noexcept {
  static std::atomic_flag said;
  if (!is_recorded() || !mpi_is_running() || said.test_and_set()) return;
  try {
    report_all();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "shunt: there are no statistics: %s\n", error.what());
  }
}

NoTraceReport::NoTraceReport() noexcept {
  if (!is_traced() || !mpi_is_running()) return;
  const bool any = all_or_any(MPI_COMM_WORLD, false, has_begun_traces());
  if (any || world_rank() != 0) return;
  or_nothing([this] {
    files_ = count_traces();
    expects_none_ = true;
  });
}

void NoTraceReport::say_if_so() const noexcept {
  if (!expects_none_) return;
  or_nothing([this] {
    if (count_traces() != files_) return;
    say(fmt::format("SHUNT_TRACE: no call was recorded, and no file made in {}",
                    environment().trace));
  });
}

}  // namespace shunt::interpose
