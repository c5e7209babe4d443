#include "cost/expected_time.hpp"

#include <algorithm>
#include <limits>

namespace shunt {

double crowd_of(const Machine& machine, int processors) {
  return std::max(1.0, 1.0 * machine.size_of(machine.largest_node()) / processors);
}

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

}  // namespace shunt
