// What a machine was measured to cost: the constants of the planner's model, kept in a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/machine.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Where a profile was measured, or where one is wanted.
struct Site {
  std::string machine;      ///< as host_kind says
  std::string mpi;          ///< library and version
  Rank ranks = 1;           ///< of the communicator
  Rank nodes = 1;           ///< that hold them
  Rank largest_node = 1;    ///< the most ranks on one of them
  int rank_processors = 1;  ///< that the ranks of a node may run on, together

  /// Returns the ranks of a node for each processor that they may run on, at least 1: the factor by
  /// which work of all ranks takes longer.
  [[nodiscard]] double crowd() const;
};

/// The two forms of a call, each with its own costs: a plan has no metadata.
enum class CallForm { one_shot, plan };

/// "one-shot", "plan".
[[nodiscard]] constexpr const char* name_of(CallForm form) {
  return form == CallForm::plan ? "plan" : "one-shot";
}

/// What the engine costs, in seconds. Inside: between ranks of one node.
struct ExchangeCosts {
  double call = 0;              ///< an exchange, whatever it moves
  double stage = 0;             ///< each stage after the first: to wait for others
  double piece = 0;             ///< a piece of a stream, where there are several stages
  double copy_per_byte = 0;     ///< a byte in a stage, where there are several
  double inside_start_up = 0;   ///< a message
  double inside_per_byte = 0;   ///< a byte of one
  double far_per_byte = 0;      ///< a byte more than caches hold: see kNearBytes
  double outside_start_up = 0;  ///< a message
  double outside_per_byte = 0;  ///< a byte, for the rank that sends or receives it
  double way_out_per_byte = 0;  ///< a byte, for the way out of the node that its ranks share

  friend bool operator==(const ExchangeCosts&, const ExchangeCosts&) = default;
};

/// The bytes up to which data that a processor moves and copies in a stage stays in its caches;
/// bytes beyond cost more.
inline constexpr Bytes kNearBytes = Bytes{1} << 18;

/// The keys of the costs in a file, with where they are: in the order in which they are fitted.
struct CostKey {
  const char* key;
  const char* meaning;
  double ExchangeCosts::*cost;
  bool is_outside = false;  ///< whether it is a cost of messages to other nodes
};
inline constexpr CostKey kCostKeys[] = {
    {"call", "an exchange", &ExchangeCosts::call},
    {"stage", "each stage after the first", &ExchangeCosts::stage},
    {"piece", "a piece of a block, in several stages", &ExchangeCosts::piece},
    {"copy_per_byte", "a byte, in several stages", &ExchangeCosts::copy_per_byte},
    {"inside_start_up", "a message inside the node", &ExchangeCosts::inside_start_up},
    {"inside_per_byte", "a byte inside the node", &ExchangeCosts::inside_per_byte},
    {"far_per_byte", "a byte in the node, beyond caches", &ExchangeCosts::far_per_byte},
    {"outside_start_up", "a message to another node", &ExchangeCosts::outside_start_up, true},
    {"outside_per_byte", "a byte to another node", &ExchangeCosts::outside_per_byte, true},
    {"way_out_per_byte", "a byte on the node's way out", &ExchangeCosts::way_out_per_byte, true},
};

/// What MPI's own collective took for blocks of `bytes` bytes from each rank to each.
struct NativeTime {
  Bytes bytes = 0;
  double seconds = 0;

  friend bool operator==(const NativeTime&, const NativeTime&) = default;
};

struct Profile {
  Site site;
  std::string date;  ///< "2026-11-22"; empty: typical costs, not measured
  ExchangeCosts one_shot;
  ExchangeCosts plan;
  std::vector<NativeTime> alltoallv;   ///< by ascending bytes, at least two
  std::vector<NativeTime> allgatherv;  ///< by ascending bytes, at least two
  double reduction = 0;                ///< a reduction of a few numbers over all ranks
  double memory_copy_per_byte = 0;     ///< from memory to memory, one rank alone
  double contention = 1;  ///< a byte while all ranks of a node exchange, over one while two do
  double window = 1;      ///< an exchange with one message under way, over one with all

  [[nodiscard]] const ExchangeCosts& costs(CallForm form) const {
    return form == CallForm::plan ? plan : one_shot;
  }
};

/// What machines of today cost about; used until this one has been measured.
[[nodiscard]] Profile typical_profile(const Site& site);

/// Why a profile of `measured` is not for `wanted`, as what follows "it is "; empty if it is. Ranks
/// and nodes may be twice or half as many, but one node stays one, and several several.
[[nodiscard]] std::string why_foreign(const Site& measured, const Site& wanted);

[[nodiscard]] nlohmann::json to_json(const Profile& profile);

/// The profile in a JSON object of that format. Throws Error(file), with `path`, where it is none:
/// a cost that is no number of seconds from 0 to 3600, and whatever else is wrong.
[[nodiscard]] Profile profile_from(const nlohmann::json& object, const std::string& path);

/// Returns the profile in a file. Throws Error(file) as `profile_from` does, and where the file
/// cannot be read.
[[nodiscard]] Profile read_profile(const std::string& path);

}  // namespace shunt
