#include "cost/expected_time.hpp"

#include <algorithm>
#include <limits>

namespace shunt {

namespace {

/// The ranks of the node for each processor that it has for them, at least 1.
double crowd_of(const Machine& machine, int processors) {
  return std::max(1.0, 1.0 * machine.size_of(machine.largest_node()) / processors);
}

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

TrafficSummary any_traffic(const TrafficBound& bound, Rank ranks) {
  TrafficSummary summary{bound, ranks, 0};
  if (__builtin_mul_overflow(bound.largest_load, ranks, &summary.total)) {
    summary.total = std::numeric_limits<Bytes>::max();
  }
  return summary;
}

std::vector<double> amounts_of(std::span<const StageWork> work, double crowd) {
  StageWork sum;
  double far_bytes = 0;
  for (const StageWork& stage : work) {
    add(sum, stage);
    far_bytes += std::max(0.0, stage.inside_bytes + stage.copied - kNearBytes);
    sum.way_out_bytes += stage.way_out_bytes;
  }
  const auto stages = static_cast<double>(work.size());
  return {crowd,
          (stages - 1) * crowd,
          sum.pieces,
          sum.copied,
          sum.inside_messages,
          sum.inside_bytes,
          far_bytes,
          sum.outside_messages,
          sum.outside_bytes,
          sum.way_out_bytes};
}

double expected_seconds(const Profile& profile, std::span<const StageWork> work,
                        const Machine& machine, CallForm form) {
  const std::vector<double> amounts =
      amounts_of(work, crowd_of(machine, profile.site.rank_processors));
  double seconds = 0;
  for (std::size_t k = 0; k < amounts.size(); ++k) {
    seconds += amounts[k] * profile.costs(form).*kCostKeys[k].cost;
  }
  return seconds;
}

double expected_seconds(const Profile& profile, const Algorithm& algorithm, const Machine& machine,
                        const TrafficSummary& traffic, CallForm form) {
  const int processors = profile.site.rank_processors;
  return expected_seconds(profile, work_within(algorithm, machine, processors, traffic, form),
                          machine, form);
}

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
