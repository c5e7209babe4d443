// What "auto" tries, when, and why: two tables, which choose.cpp walks and `shunt algorithms
// --candidates` prints. Whoever knows a faster algorithm for some case adds a row.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/surroundings.hpp"
#include "cost/expected_time.hpp"
#include "model/configuration.hpp"
#include "model/machine.hpp"
#include "model/profile.hpp"
#include "model/sources.hpp"
#include "shunt/options.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// The algorithm that sends every block straight to its rank.
inline constexpr const char* kStraight = "linear";

/// The all-gather in which every source sends to every rank.
inline constexpr const char* kDirectAllgather = "direct";

/// The largest load, in bytes of one rank, up to which candidates are tried.
inline constexpr Bytes kLargestTrial = Bytes{16} << 20;

/// What all ranks know of an alltoallv.
struct AlltoallvCase {
  const Profile& profile;
  const Surroundings& surroundings;
  const Machine& machine;  ///< of the surroundings
  TrafficSummary traffic;
  CallForm form;
  const Options& asked;
};

/// What all ranks know of an allgatherv.
struct AllgathervCase {
  const Sources& sources;
  const Machine& machine;
  bool broadcast_buffers;  ///< whether ranks publish their blocks to their node
};

/// Where a rule puts its candidates among those before it.
enum class CandidatePlace {
  by_model,  ///< if the model expects at most twice the least time; at most four
  last,      ///< whatever it expects, after those
  first      ///< whatever it expects, before all others so far
};

/// Candidates, which are weighed or tried where the rule applies.
template <class Case>
struct CandidateRule {
  std::vector<std::string> candidates;  ///< configurations as text; on a torus, its families
  CandidatePlace place;
  std::string when;              ///< in which case the rule applies, in words
  std::string why;               ///< the reason, with what was measured
  bool (*applies)(const Case&);  ///< whether it applies: what `when` says
  bool has_buffers = true;  ///< whether they need buffers; then loads are at most kLargestTrial
  /// The most bytes of buffers of any rank with which families are tried on the torus; 0: the rule
  /// is for no torus.
  Bytes torus_buffers = 0;
};

/// Returns the rules in the order in which they are walked.
[[nodiscard]] const std::vector<CandidateRule<AlltoallvCase>>& alltoallv_candidates();
[[nodiscard]] const std::vector<CandidateRule<AllgathervCase>>& allgatherv_candidates();

/// When MPI's own collective is a candidate of any kind of call, the last one.
inline constexpr const char* kNativeWhen =
    "MPI's ints suffice on all ranks, and nothing is known to fail";
inline constexpr const char* kNativeWhy =
    "It is the one to beat, and wins where nothing else is faster by 3 %.";

/// Returns kStraight with single copies inside a node.
[[nodiscard]] Configuration straight_once(const Options& asked);

/// Whether that may pay: ranks share a node, the caller lets them share its memory, no slow network
/// hides the difference, and a block is long enough.
[[nodiscard]] bool may_copy_once(const AlltoallvCase& exchange);

/// Returns the torus that the ranks are said to be, if each is a node of its own and it is no ring.
[[nodiscard]] std::optional<Extents> torus_of(const AlltoallvCase& exchange);

/// For rules that apply whatever the case.
template <class Case>
[[nodiscard]] bool applies_always(const Case& /*given*/) {
  return true;
}

/// Whether there are several nodes, and ranks that share one.
template <class Case>
[[nodiscard]] bool on_nodes(const Case& given) {
  return given.machine.nodes() > 1 && given.machine.nodes() < given.machine.ranks();
}
inline constexpr const char* kOnNodes = "several nodes of several ranks";

}  // namespace shunt
