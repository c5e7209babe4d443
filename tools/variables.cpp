#include "variables.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "algorithms/broadcast_registry.hpp"
#include "algorithms/registry.hpp"
#include "bindings/block_calls.hpp"
#include "model/variable_names.hpp"

namespace shunt {

namespace {

constexpr Variable kVariables[] = {
    {"SHUNT_ALGORITHM", "auto, native, or as `shunt algorithms` lists", "auto",
     "how exchanges are made; native is MPI's own way"},
    {"SHUNT_BROADCAST", "auto, native, or as with --broadcast", "auto",
     "the same for MPI_Allgather and MPI_Allgatherv"},
    {"SHUNT_MODE", "blocking, single, dual", "dual", "how messages are posted"},
    {"SHUNT_PACKET", "bytes", "not cut", "the packets in which long messages go through MPI"},
    {"SHUNT_MEMORY", "bytes; K, M or G behind it", "no limit",
     "the most bytes of buffers of an exchange on a rank"},
    {"SHUNT_CHECK", "0, 1", "0", "the ranks compare their arguments before each exchange"},
    {"SHUNT_NODES", "blocked:K, round-robin:K, A,B,.. or a file", "the machine's",
     "which ranks form a node: K to each, on K in turn, A, B, ..., or node by rank"},
    {"SHUNT_TORUS", "extents, as 16x16", "the grid's",
     "which torus the ranks are; else that of a Cartesian communicator"},
    {"SHUNT_EFFORT", "estimate, measure, patient", "measure",
     "how long planning may look for the fastest way"},
    {"SHUNT_LEARN", "0, 1", "1", "0: the models alone choose; nothing is tried or remembered"},
    {"SHUNT_WISDOM", "a file, or none", "the user's",
     "where to keep what plans found to be fastest"},
    {"SHUNT_DIRECTORY", "a folder", "the user's",
     "where to keep files from one program to the next"},

    {"SHUNT_PROFILE", "a file of `shunt calibrate`", "the user's",
     "what the machine costs, for the choice of an algorithm"},
    {"SHUNT_WARM_UP", "milliseconds", "5",
     "preloaded: what MPI's own calls take on a communicator before Shunt is set up"},
    {"SHUNT_DISABLE", "0, 1", "0", "preloaded: leave all calls to MPI"},
    {"SHUNT_VERBOSE", "0, 1", "0", "what auto settles on; preloaded: first use, and a sum"},
    {"SHUNT_STATS", "a file", "none", "preloaded: statistics of all calls, as JSON"},
    {"SHUNT_TRACE", "a folder", "none", "where to record all-to-all calls, for `shunt replay`"},
    {"SHUNT_LIBRARY_PATH", "folders, with : between", "none",
     "where `run` and `simulate` look first for what they need", false},
    {"SHUNT_MPIRUN", "a command with flags", "that of the build", "how `shunt bench` starts ranks",
     false},
};

constexpr bool is_known(const Variable& variable) {
  return std::ranges::find(kVariableNames, variable.name) != std::end(kVariableNames);
}
static_assert(std::size(kVariables) == std::size(kVariableNames) &&
              std::ranges::all_of(kVariables, is_known));

}  // namespace

std::span<const Variable> variables() { return kVariables; }

std::optional<std::string> value_of(const Variable& variable) {
  const char* value = std::getenv(variable.name);
  if (value == nullptr) return std::nullopt;
  return value;
}

void expect_algorithm(const std::string& name) {
  if (name == kAuto || name == kNative) return;
  const std::string_view family = std::string_view(name).substr(0, name.find(':'));
  const auto entries = algorithm_registry();
  const bool known = std::ranges::find(entries, family, &AlgorithmEntry::name) != entries.end();
  if (!known) (void)make_algorithm(name, 1, 1);
}

void expect_broadcast(const std::string& name) {
  if (name == kAuto || name == kNative || is_broadcast(name)) return;
  (void)make_broadcast(name, Sources({0}));
}

}  // namespace shunt
