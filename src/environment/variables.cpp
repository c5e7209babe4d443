#include "environment/variables.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "algorithms/canonical_name.hpp"
#include "model/configuration.hpp"
#include "model/parse.hpp"
#include "shunt/error.hpp"
#include "shunt/types.hpp"

namespace shunt {

namespace {

/// What is allowed, in the words of the sentence about another value.
[[noreturn]] void refuse(const std::string& value, const char* allowed) {
  throw Error(ErrorKind::argument, fmt::format(" is \"{}\"; it is {}", value, allowed));
}

void read_algorithm(const std::string& value, Environment& into) {
  try {
    into.options = read_configuration(value, into.options);
    into.options.algorithm = canonical_name(into.options.algorithm);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format(": {}", error.what()));
  }
}

void read_allgather(const std::string& value, Environment& into) {
  into.allgather.algorithm = canonical_name(value);
}

void read_mode(const std::string& value, Environment& into) {
  for (const Mode mode : {Mode::blocking, Mode::single_buffer, Mode::dual_buffer}) {
    if (value != name_of(mode)) continue;
    into.options.mode = mode;
    into.allgather.mode = mode;
    return;
  }
  refuse(value, "one of blocking, single and dual");
}

void read_packet(const std::string& value, Environment& into) {
  into.options.packet = parse_number<Bytes>(value).value_or(-1);
  if (into.options.packet < 0) refuse(value, "a number of bytes, or 0");
}

void read_effort(const std::string& value, Environment& into) {
  for (const Effort effort : kEfforts) {
    if (value != name_of(effort)) continue;
    into.options.effort = effort;
    into.allgather.effort = effort;
    return;
  }
  refuse(value, "one of estimate, measure and patient");
}

void read_memory(const std::string& value, Environment& into) {
  const std::optional<Bytes> limit = parse_bytes(value);
  if (!limit) {
    refuse(value,
           "a number of bytes, with K, M or G behind it for 2^10, 2^20 or 2^30 of them, or 0");
  }
  into.options.memory = *limit;
  into.allgather.memory = *limit;
}

void read_warm_up(const std::string& value, Environment& into) {
  constexpr double kMillisecond = 1e-3;
  const std::optional<Bytes> read = parse_number<Bytes>(value);
  if (!read || *read < 0) refuse(value, "a number of milliseconds, or 0");
  into.warm_up = kMillisecond * static_cast<double>(*read);
}

bool read_switch(const std::string& value) {
  if (value != "0" && value != "1") refuse(value, "0 or 1");
  return value == "1";
}

template <bool Environment::*kMember>
void read_switch_into(const std::string& value, Environment& into) {
  into.*kMember = read_switch(value);
}

template <std::string Environment::*kMember>
void read_text_into(const std::string& value, Environment& into) {
  into.*kMember = value;
}

/// The planner reads it; here it is only looked at.
void check_switch(const std::string& value, Environment& /*into*/) { (void)read_switch(value); }

constexpr Variable kVariables[] = {
    {"SHUNT_ALGORITHM", "auto, native, or as `shunt algorithms` lists", "auto",
     "how exchanges are made; native is MPI's own way", Scope::all, read_algorithm},
    {"SHUNT_ALLGATHER", "auto, native, or as with --allgather", "auto",
     "the same for MPI_Allgather and MPI_Allgatherv", Scope::all, read_allgather},
    {"SHUNT_MODE", "blocking, single, dual", "dual", "how messages are posted", Scope::all,
     read_mode},
    {"SHUNT_PACKET", "bytes", "not cut", "the packets in which long messages go through MPI",
     Scope::all, read_packet},
    {"SHUNT_MEMORY", "bytes; K, M or G behind it", "no limit",
     "the most bytes of buffers of an exchange on a rank", Scope::all, read_memory},
    {"SHUNT_CHECK", "0, 1", "0", "the ranks compare their arguments before each exchange",
     Scope::all, read_switch_into<&Environment::check>},
    {"SHUNT_NODES", "blocked:K, round-robin:K, A,B,.. or a file", "the machine's",
     "which ranks form a node: K to each, on K in turn, A, B, ..., or node by rank", Scope::rank},
    {"SHUNT_TORUS", "extents, as 16x16", "the grid's",
     "which torus the ranks are; else that of a Cartesian communicator", Scope::rank},
    {"SHUNT_EFFORT", "estimate, measure, patient", "measure",
     "how long planning may look for the fastest way", Scope::all, read_effort},
    {"SHUNT_LEARN", "0, 1", "1", "0: the models alone choose; nothing is tried or remembered",
     Scope::all, check_switch},
    {"SHUNT_WISDOM", "a file, or none", "the user's",
     "where to keep what plans found to be fastest", Scope::rank},
    {"SHUNT_DIRECTORY", "a folder", "the user's",
     "where to keep files from one program to the next", Scope::rank},
    {"SHUNT_PROFILE", "a file of `shunt calibrate`", "the user's",
     "what the machine costs, for the choice of an algorithm", Scope::rank},
    {"SHUNT_WARM_UP", "milliseconds", "5",
     "preloaded: what MPI's own calls take on a communicator before Shunt is set up", Scope::all,
     read_warm_up},
    {"SHUNT_DISABLE", "0, 1", "0", "preloaded: leave all calls to MPI", Scope::all,
     read_switch_into<&Environment::disabled>},
    {"SHUNT_VERBOSE", "0, 1", "0", "what auto settles on; preloaded: first use, and a sum",
     Scope::all, read_switch_into<&Environment::verbose>},
    {"SHUNT_STATS", "a file", "none", "preloaded: statistics of all calls, as JSON",
     Scope::all_or_none, read_text_into<&Environment::statistics>},
    {"SHUNT_TRACE", "a folder", "none", "where to record all-to-all calls, for `shunt replay`",
     Scope::all_or_none, read_text_into<&Environment::trace>},
    {"SHUNT_LIBRARY_PATH", "folders, with : between", "none",
     "where `run` and `simulate` look first for what they need", Scope::command},
    {"SHUNT_MPIRUN", "a command with flags", "that of the build", "how `shunt bench` starts ranks",
     Scope::command},
};

/// What Shunt's own programs tell each other: simulated ranks their machine, tests their MPI.
constexpr std::string_view kOwnNames[] = {"SHUNT_SIMULATED_MACHINE", "SHUNT_MPI"};

bool is_known(std::string_view name) {
  return std::ranges::find(variables(), name, &Variable::name) != variables().end() ||
         std::ranges::find(kOwnNames, name) != std::end(kOwnNames);
}

}  // namespace

std::span<const Variable> variables() { return kVariables; }

std::optional<std::string> value_of(const Variable& variable) {
  const char* value = std::getenv(variable.name);
  if (value == nullptr) return std::nullopt;
  return value;
}

std::vector<std::string> misspelt_variables() {
  std::vector<std::string> sentences;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view set = *entry;
    const std::string_view name = set.substr(0, set.find('='));
    if (!name.starts_with("SHUNT_") || is_known(name)) continue;
    sentences.push_back(
        fmt::format("{} is set, but there is no such variable; `shunt env` lists them", name));
  }
  std::ranges::sort(sentences);
  return sentences;
}

}  // namespace shunt
