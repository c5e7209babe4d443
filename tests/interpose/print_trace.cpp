// Prints traces as `traced_calls` prints what it calls.
#include <cstddef>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/traffic/trace_file.hpp"

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const shunt::Trace trace = shunt::read_trace(argv[i]);
    fmt::print("{} of {}{}\n", std::filesystem::path(argv[i]).stem().string(),
               fmt::join(trace.world_ranks, " "), trace.complete ? "" : ", not complete");
    for (const shunt::TraceCall& call : trace.calls) {
      fmt::print("{} {}{}:", call.function, call.repeats,
                 trace.allgathers.contains(call.matrix) ? " allgather" : "");
      const auto& matrix = trace.matrices[call.matrix];
      for (std::size_t source = 0; source < matrix.size(); ++source) {
        for (const auto& [destination, count] : matrix[source]) {
          fmt::print(" {}>{}={}", source, destination, count * trace.element_bytes);
        }
      }
      fmt::print("\n");
      // Each rank has taken some time, and none of them more than the slowest.
      if (!(call.fastest > 0) || call.fastest > call.seconds) fmt::print("wrong times\n");
    }
  }
  return 0;
}
