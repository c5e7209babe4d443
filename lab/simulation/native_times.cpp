#include "lab/simulation/native_times.hpp"

#include <algorithm>
#include <vector>

namespace shunt {

namespace {

/// The native times are of a piecewise linear function of the block's length, the last piece of
/// which goes on.
double interpolate(const std::vector<NativeTime>& times, double bytes) {
  auto right = std::ranges::find_if(
      times, [&](const NativeTime& time) { return static_cast<double>(time.bytes) >= bytes; });
  if (right == times.begin()) return right->seconds;
  if (right == times.end()) --right;
  const NativeTime& left = *(right - 1);
  const double share =
      (bytes - static_cast<double>(left.bytes)) / static_cast<double>(right->bytes - left.bytes);
  // Whatever the last two times are: more bytes do not take less.
  const double rise = static_cast<double>(right->bytes) < bytes
                          ? std::max(0.0, right->seconds - left.seconds)
                          : right->seconds - left.seconds;
  return left.seconds + share * rise;
}

/// What `times`, measured at the profile's site, say about blocks of `bytes` bytes here.
double native_seconds(const Profile& profile, const std::vector<NativeTime>& times,
                      const Machine& machine, double bytes) {
  const Site& site = profile.site;
  const double here = machine.ranks() * crowd_of(machine, site.rank_processors);
  return interpolate(times, bytes) * here / (site.ranks * site.crowd());
}

}  // namespace

double expected_native_seconds(const Profile& profile, const Machine& machine,
                               const TrafficSummary& traffic) {
  const double crowd = crowd_of(machine, profile.site.rank_processors);
  const double busiest = static_cast<double>(traffic.bound.largest_load) / crowd;
  const double average = static_cast<double>(traffic.total) / machine.ranks();
  return native_seconds(profile, profile.alltoallv, machine,
                        std::max(busiest, average) / machine.ranks());
}

double expected_native_seconds(const Profile& profile, const Machine& machine,
                               const Sources& sources) {
  return native_seconds(profile, profile.allgatherv, machine,
                        static_cast<double>(sources.total()) / machine.ranks());
}

}  // namespace shunt
