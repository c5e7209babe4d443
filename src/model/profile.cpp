#include "model/profile.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "model/counted.hpp"
#include "model/json_object.hpp"

namespace shunt {

namespace {

using nlohmann::json;

constexpr JsonFormat kProfileFormat{"shunt-profile", 1, "a profile", Bytes{1} << 20};

/// More than this is no cost of anything here, and sums of such numbers stay finite.
constexpr double kMostSeconds = 3600;
constexpr double kMostTimes = 1e6;

double cost_in(const JsonObject& object, const char* key) {
  return object.amount(key, "seconds", kMostSeconds);
}

ExchangeCosts costs_in(const JsonObject& object, const char* key) {
  const JsonObject costs = object.inside(object.at(key), key);
  ExchangeCosts read;
  for (const CostKey& entry : kCostKeys) read.*entry.cost = cost_in(costs, entry.key);
  return read;
}

json json_of(const ExchangeCosts& costs) {
  json object = json::object();
  for (const CostKey& entry : kCostKeys) object[entry.key] = costs.*entry.cost;
  return object;
}

std::vector<NativeTime> times_in(const JsonObject& object, const char* key) {
  constexpr std::size_t kMost = 64;
  constexpr Bytes kLongest = std::numeric_limits<int>::max();
  const json& list = object.list(key, "objects");
  if (list.size() < 2 || list.size() > kMost) {
    object.fail(fmt::format("\"{}\" must be a list of 2 to {} objects", key, kMost));
  }
  std::vector<NativeTime> times;
  for (const json& item : list) {
    const JsonObject time = object.inside(item, key);
    const Bytes least = times.empty() ? 0 : times.back().bytes + 1;
    times.push_back({time.whole("bytes", least, kLongest), cost_in(time, "seconds")});
  }
  return times;
}

json json_of(const std::vector<NativeTime>& times) {
  json list = json::array();
  for (const NativeTime& time : times) {
    list.push_back({{"bytes", time.bytes}, {"seconds", time.seconds}});
  }
  return list;
}

Site site_in(const JsonObject& object) {
  constexpr std::int64_t kMost = std::numeric_limits<Rank>::max();
  const auto whole = [&](const char* key, std::int64_t most) {
    return static_cast<Rank>(object.whole(key, 1, most));
  };
  Site site;
  site.machine = object.text("machine");
  site.mpi = object.text("mpi");
  site.ranks = whole("ranks", kMost);
  site.nodes = whole("nodes", site.ranks);
  site.largest_node = whole("largest_node", site.ranks);
  site.rank_processors = whole("rank_processors", kMost);
  return site;
}

/// Whether one number is at most twice the other.
bool near(Rank one, Rank other) {
  return std::max(one, other) <= 2 * std::int64_t{std::min(one, other)};
}

}  // namespace

double Site::crowd() const { return std::max(1.0, 1.0 * largest_node / rank_processors); }

Profile typical_profile(const Site& site) {
  Profile profile;
  profile.site = site;
  // A message through shared memory, and one through a fast network; memory of some GB/s a rank.
  profile.plan = {1e-6, 1e-6, 2e-8, 1e-10, 2e-7, 2e-10, 1e-10, 1e-6, 1e-10, 1e-10};
  profile.one_shot = {1e-6, 1e-6, 6e-8, 1e-10, 3e-7, 2e-10, 1e-10, 1e-6, 1e-10, 1e-10};
  const bool shares_way_out = site.nodes > 1;
  const auto native = [&](Bytes bytes) {
    const double per_byte = shares_way_out ? 1e-10 * site.largest_node : 3e-10 * site.crowd();
    const double message = 1e-6 * site.crowd() + static_cast<double>(bytes) * per_byte;
    return std::min(site.ranks * message, kMostSeconds);
  };
  for (const Bytes bytes : {Bytes{0}, Bytes{1} << 20}) {
    profile.alltoallv.push_back({bytes, native(bytes)});
    profile.allgatherv.push_back({bytes, native(bytes)});
  }
  profile.reduction = 5e-6 * site.crowd();
  profile.memory_copy_per_byte = 1e-10;
  return profile;
}

std::string why_foreign(const Site& measured, const Site& wanted) {
  const auto foreign = [](const std::string& measured_there, const std::string& wanted_here) {
    return fmt::format("of {}, not of {}", measured_there, wanted_here);
  };
  const auto layout = [](const Site& site) {
    return fmt::format("{} on {}", counted(site.ranks, "rank"), counted(site.nodes, "node"));
  };
  if (measured.machine != wanted.machine) return foreign(measured.machine, wanted.machine);
  if (measured.mpi != wanted.mpi) return foreign(measured.mpi, wanted.mpi);
  const bool alike = near(measured.ranks, wanted.ranks) && near(measured.nodes, wanted.nodes) &&
                     near(measured.largest_node, wanted.largest_node) &&
                     (measured.nodes == 1) == (wanted.nodes == 1) &&
                     (measured.largest_node == 1) == (wanted.largest_node == 1);
  return alike ? "" : foreign(layout(measured), layout(wanted));
}

json to_json(const Profile& profile) {
  const Site& site = profile.site;
  return {{"format", kProfileFormat.name},
          {"version", kProfileFormat.version},
          {"machine", site.machine},
          {"mpi", site.mpi},
          {"ranks", site.ranks},
          {"nodes", site.nodes},
          {"largest_node", site.largest_node},
          {"rank_processors", site.rank_processors},
          {"date", profile.date},
          {"one_shot", json_of(profile.one_shot)},
          {"plan", json_of(profile.plan)},
          {"alltoallv", json_of(profile.alltoallv)},
          {"allgatherv", json_of(profile.allgatherv)},
          {"reduction", profile.reduction},
          {"memory_copy_per_byte", profile.memory_copy_per_byte},
          {"contention", profile.contention},
          {"window", profile.window}};
}

Profile profile_from(const json& file, const std::string& path) {
  const JsonObject object(path, file);
  Profile profile;
  profile.site = site_in(object);
  profile.date = object.text("date");
  profile.one_shot = costs_in(object, "one_shot");
  profile.plan = costs_in(object, "plan");
  profile.alltoallv = times_in(object, "alltoallv");
  profile.allgatherv = times_in(object, "allgatherv");
  profile.reduction = cost_in(object, "reduction");
  profile.memory_copy_per_byte = cost_in(object, "memory_copy_per_byte");
  profile.contention = object.amount("contention", "times", kMostTimes);
  profile.window = object.amount("window", "times", kMostTimes);
  return profile;
}

Profile read_profile(const std::string& path) {
  return profile_from(read_json_file(path, kProfileFormat), path);
}

}  // namespace shunt
