// What this rank's calls did, by the place in the program that made them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "environment/environment.hpp"
#include "shunt/types.hpp"

namespace shunt::interpose {

/// Whether Shunt makes an exchange, or MPI, and for what reason.
enum class Way {
  shunt,
  chosen,
  disabled,
  intercommunicator,
  no_communicator,
  nested,
  warming_up,
  not_set_up,
  device_memory,
  mpi_not_running
};

/// Whether the call might be made by Shunt as well: then MPI's own is called around its faults.
[[nodiscard]] constexpr bool may_be_shunt(Way way) {
  return way == Way::chosen || way == Way::warming_up || way == Way::not_set_up;
}

/// The number of values of Way that are counted: all but `mpi_not_running`, which no rank can
/// count.
inline constexpr std::size_t kWays = 9;

/// Returns why MPI makes the exchange; empty where Shunt does.
[[nodiscard]] constexpr const char* reason_of(Way way) {
  switch (way) {
    case Way::chosen:
      return "chosen";
    case Way::disabled:
      return "SHUNT_DISABLE";
    case Way::intercommunicator:
      return "intercommunicator";
    case Way::no_communicator:
      return "no communicator";
    case Way::nested:
      return "inside another call";
    case Way::warming_up:
      return "first calls";
    case Way::not_set_up:
      return "not set up";
    case Way::device_memory:
      return "device memory";
    case Way::shunt:
    case Way::mpi_not_running:
      break;
  }
  return "";
}

struct Traffic {
  Bytes sent = 0;
  Bytes received = 0;
};

struct Tally {
  std::array<std::int64_t, kWays> calls{};  ///< by Way
  std::int64_t failed = 0;                  ///< of all of these calls
  Traffic traffic;                          ///< of all calls that have not failed
  double seconds = 0;
};

/// A function of MPI, and the address to which its call returns.
using CallSite = std::pair<std::string_view, const void*>;
using CallSites = std::map<CallSite, Tally>;

/// Whether the environment asks for a record.
[[nodiscard]] inline bool is_recorded() {
  const Environment& chosen = environment();
  return chosen.verbose || !chosen.statistics.empty();
}

/// Adds to the tally of the site. `function` is never freed. Any thread may call this.
void record(const char* function, const void* caller, const Tally& tally) noexcept;

/// Returns all call sites of this rank so far, with their tallies.
[[nodiscard]] CallSites recorded_sites();

}  // namespace shunt::interpose
