// The configurations that were found to be the fastest, for later exchanges.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/machine.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// A configuration of an exchange, and the seconds that it took the slowest rank.
struct Trial {
  std::string algorithm;
  double seconds;
};

/// What a choice depends on, in readable form. Exchanges with equal keys get one configuration.
struct WisdomKey {
  std::string machine;  ///< its hosts: `host_kind`
  std::string mpi;      ///< the MPI library and its version
  std::string ranks;    ///< how many, and on which nodes: begins with `ranks_text`
  std::string kind;     ///< what is to be chosen: "alltoallv plan"
  std::string options;  ///< what the caller wants of it
  std::string traffic;  ///< `TrafficSignature::text`

  friend auto operator<=>(const WisdomKey&, const WisdomKey&) = default;
};

/// What was chosen, and why.
struct WisdomEntry {
  std::string algorithm;  ///< the fastest of the trials, with options that differ from the key's
  double seconds = 0;     ///< seconds that it took the slowest rank
  Effort effort = Effort::measure;
  std::int64_t found = 0;     ///< when: seconds since 1970, UTC
  std::vector<Trial> trials;  ///< the fastest first
};

class Wisdom {
 public:
  static constexpr std::size_t kLongestText = 256;  ///< bytes of a text
  static constexpr std::size_t kMostTrials = 16;    ///< trials of an entry

  /// Returns the entry of `key` if it was found with at least the effort `least`; else null. Valid
  /// until something is learned.
  [[nodiscard]] const WisdomEntry* find(const WisdomKey& key, Effort least) const;

  /// Keeps the entry unless that of the key took more effort, or as much and is newer. Longer texts
  /// and more trials are cut; characters that are not printable ASCII become question marks.
  void learn(WisdomKey key, WisdomEntry entry);

  /// Learns all that `other` knows.
  void merge(const Wisdom& other);

  [[nodiscard]] const std::map<WisdomKey, WisdomEntry>& entries() const { return entries_; }

 private:
  std::map<WisdomKey, WisdomEntry> entries_;
};

/// "16 ranks, 3 nodes of 4-8, mixed": mixed where one comes back to a node on the way from rank to
/// rank.
[[nodiscard]] std::string ranks_text(const Machine& machine);

/// The day of `WisdomEntry::found`: "2026-11-22".
[[nodiscard]] std::string day_text(std::int64_t found);

}  // namespace shunt
