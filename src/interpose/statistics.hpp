// The record of all ranks together.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "interpose/call_sites.hpp"

namespace shunt::interpose {

/// A call site in a form that all ranks understand, since they have the program at different
/// addresses.
struct Place {
  std::string function;  ///< the name of MPI's function
  std::string module;    ///< the file of the program or library that called it
  std::uint64_t offset;  ///< of the call in it, as tools such as addr2line count
  std::string symbol;    ///< the function that called; empty if its name is not exported

  auto operator<=>(const Place&) const = default;
};

/// What happened there, on all ranks that have been added up.
struct SiteStatistics {
  std::int64_t ranks = 0;  ///< how many ranks called
  std::int64_t calls = 0;
  std::int64_t failed = 0;
  Bytes sent = 0;
  Bytes received = 0;
  double seconds_slowest = 0;                  ///< of the rank that spent most there
  double seconds_sum = 0;                      ///< of all ranks
  std::map<std::string, std::int64_t> native;  ///< calls that MPI made, by reason

  void add(const SiteStatistics& other);
  [[nodiscard]] std::int64_t native_calls() const;
};

using Statistics = std::map<Place, SiteStatistics>;

/// The statistics of this rank. Throws std::bad_alloc.
[[nodiscard]] Statistics own_statistics();

/// Returns the statistics of all ranks, on rank 0 of MPI_COMM_WORLD. Collective; takes as many
/// rounds as the number of ranks has binary digits. Where a rank cannot send its own, they are
/// missing, and rank 0 says so on stderr.
[[nodiscard]] Statistics gather(Statistics own);

/// Returns the statistics as the file has them: one object for each site.
[[nodiscard]] nlohmann::ordered_json to_json(const Statistics& statistics);

/// Returns `json` as text, with U+FFFD for what is not UTF-8, as a file's name may be.
[[nodiscard]] std::string text_of(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace shunt::interpose
