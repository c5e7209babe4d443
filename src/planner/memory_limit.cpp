#include "planner/memory_limit.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "algorithms/memory_bound.hpp"
#include "engine/block_exchange.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// Bytes of buffers of this rank, if it makes the exchange so.
Bytes own_buffers(Context& context, const Configuration& candidate, const Weighed& weighed) {
  if (candidate.algorithm == kNative) return 0;
  const Algorithm& algorithm = *context.schedules.find(candidate.algorithm, candidate).algorithm;
  if (weighed.form == CallForm::plan) {
    return MemoryBound(algorithm, context.rank(), candidate.mode)(weighed.traffic);
  }
  const Bytes head = head_within(algorithm, candidate.memory, kHeadBytes);
  return MemoryBound(algorithm, context.rank(), candidate.mode, head)(weighed.traffic);
}

}  // namespace

AgreedParts agree_on(const Context& context, const BlockParts& parts) {
  const TrafficBound traffic = parts.traffic();
  const Bytes own[] = {traffic.largest_load, traffic.longest_block, parts.packed_sides(),
                       parts.fits_ints() ? 0 : 1};
  Bytes all[] = {0, 0, 0, 0};
  context.progress.reduce(own, all, 4, MPI_INT64_T, MPI_MAX);
  return {{all[0], all[1]}, all[2], parts.unit(), all[3] == 0};
}

Division divide(const Context& context, const Options& options, const AgreedParts& agreed,
                const std::string& algorithm, const BoundsWithGrain& buffers_with) {
  constexpr Bytes kFinest = 16;
  constexpr Bytes kFiner = 8;
  constexpr Bytes kNone = std::numeric_limits<Bytes>::max();
  for (Bytes grain = options.grain;; grain = std::max(grain / kFiner, kFinest)) {
    const BufferBound buffers = buffers_with ? buffers_with(grain) : nullptr;
    const auto needed = [&](Bytes count) {
      const TrafficBound part =
          bound_of_part(agreed.traffic, context.ranks(), {count, agreed.unit});
      return agreed.packing(part) + (buffers ? buffers(part) : 0);
    };
    const Bytes most = most_parts(agreed.traffic, std::max(grain, agreed.unit));
    const Bytes least =
        least_parts(most, [&](Bytes count) { return needed(count) <= options.memory; });
    const Bytes own[] = {least > 0 ? least : kNone, needed(most)};
    Bytes all[] = {own[0], own[1]};
    if (buffers) context.progress.reduce(own, all, 2, MPI_INT64_T, MPI_MAX);
    if (all[0] != kNone) return {{all[0], agreed.unit}, grain};
    if (grain > kFinest) continue;
    throw Error(ErrorKind::argument,
                fmt::format("the memory limit is {} bytes; this exchange by {} needs {} on a rank "
                            "even in {} parts, of {} bytes of the longest block each",
                            options.memory, algorithm, all[1], most,
                            Parts{most, agreed.unit}.bytes(agreed.traffic.longest_block, 0)));
  }
}

Fitting fit(Context& context, const Options& options, const Weighed& weighed,
            std::vector<Configuration>& candidates, std::size_t together) {
  if (options.memory == 0) return {true, {}};
  std::vector<Bytes> own;
  for (const Configuration& candidate : candidates) {
    const Bytes buffers = own_buffers(context, candidate, weighed);
    own.push_back(buffers > 0 ? buffers + weighed.packing : 0);
  }
  std::vector<Bytes> needed(own.size());
  context.progress.reduce(own.data(), needed.data(), static_cast<int>(own.size()), MPI_INT64_T,
                          MPI_MAX);
  std::vector<Configuration> left;
  std::vector<Bytes> kept;
  Fitting fitting{true, {}};
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    if (needed[k] > options.memory) {
      fitting.left_out.push_back({candidates[k], needed[k]});
    } else {
      left.push_back(candidates[k]);
      kept.push_back(needed[k]);
    }
  }
  candidates = std::move(left);
  std::ranges::sort(kept, std::ranges::greater());
  kept.resize(std::min(kept.size(), together));
  // Blocks to send and to receive.
  const Bytes scratch = 2 * weighed.traffic.largest_load;
  fitting.trials_fit = std::accumulate(kept.begin(), kept.end(), scratch) <= options.memory;
  return fitting;
}

}  // namespace shunt
