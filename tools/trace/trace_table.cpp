#include "tools/trace/trace_table.hpp"

#include <fmt/format.h>

#include "tools/common/page.hpp"

namespace shunt {

namespace {

double seconds_of(const Trace& head) {
  double seconds = 0;
  for (const TraceCall& call : head.calls) seconds += call.seconds;
  return seconds;
}

}  // namespace

std::int64_t calls_of(const Trace& head) {
  std::int64_t calls = 0;
  for (const TraceCall& call : head.calls) calls += call.repeats;
  return calls;
}

std::string headline(const std::string& path, const TraceFile& file) {
  const Trace& head = file.head();
  const std::string name = head.communicator.empty() ? path : path + ", " + head.communicator;
  const std::string allgathers =
      head.allgathers.empty() ? "" : fmt::format(" ({} of all-gathers)", head.allgathers.size());
  const std::string facts =
      fmt::format("ranks {}, matrices {}{}, calls {}, recorded {:.6f} s{}", head.ranks,
                  file.matrices(), allgathers, calls_of(head), seconds_of(head),
                  head.complete ? "" : "; the recording ended before the program");
  return fmt::format("{}:\n{}", name, paragraph(facts));
}

nlohmann::json head_json(const std::string& path, const TraceFile& file) {
  const Trace& head = file.head();
  return {{"trace", path},
          {"communicator", head.communicator},
          {"ranks", head.ranks},
          {"world_ranks", head.world_ranks},
          {"complete", head.complete},
          {"calls", calls_of(head)},
          {"recorded_seconds", seconds_of(head)}};
}

}  // namespace shunt
