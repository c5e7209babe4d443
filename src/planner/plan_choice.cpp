#include "planner/plan_choice.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "exchange/mpi_call.hpp"
#include "exchange/native_plan.hpp"
#include "exchange/plan_builder.hpp"
#include "exchange/stage_runner.hpp"
#include "model/turns.hpp"
#include "planner/choose.hpp"

namespace shunt {

namespace {

/// The largest load, in bytes of one rank, up to which candidates are tried.
constexpr Bytes kLargestTrial = Bytes{16} << 20;
constexpr int kWarmUps = 2;
constexpr int kRounds = 9;

/// What all ranks know of the traffic.
struct Agreed {
  TrafficBound traffic;
  bool native_fits;
};

Agreed agree(const YardState& yard, const SendBlocks& send, const ReceiveBlocks& receive) {
  Bytes largest[] = {std::max(total_bytes(send.bytes), total_bytes(receive.bytes)),
                     std::ranges::max(send.bytes), NativePlan::fits(send, receive) ? 0 : 1};
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallreduce(MPI_IN_PLACE, largest, 3, MPI_INT64_T, MPI_MAX, yard.comm(), &request),
            "MPI_Iallreduce");
  yard.complete(request);
  return {{largest[0], largest[1]}, largest[2] == 0};
}

/// Blocks of the same lengths in memory of our own, one after the other.
class Scratch {
 public:
  Scratch(const SendBlocks& send, const ReceiveBlocks& receive)
      : send_(static_cast<std::size_t>(total_bytes(send.bytes))),
        receive_(static_cast<std::size_t>(total_bytes(receive.bytes))),
        send_blocks_{send_.data(), send.bytes, packed(send.bytes)},
        receive_blocks_{receive_.data(), receive.bytes, packed(receive.bytes)} {}

  [[nodiscard]] const SendBlocks& send() const { return send_blocks_; }
  [[nodiscard]] const ReceiveBlocks& receive() const { return receive_blocks_; }

 private:
  static std::vector<Bytes> packed(const std::vector<Bytes>& bytes) {
    std::vector<Bytes> offsets(bytes.size());
    std::exclusive_scan(bytes.begin(), bytes.end(), offsets.begin(), Bytes{0});
    return offsets;
  }

  std::vector<std::byte> send_;
  std::vector<std::byte> receive_;
  SendBlocks send_blocks_;
  ReceiveBlocks receive_blocks_;
};

/// Seconds of the slowest rank in the median round, by plan. The plans take turns.
std::vector<double> time_plans(const YardState& yard,
                               const std::vector<std::unique_ptr<PlannedExchange>>& plans) {
  std::vector<double> seconds(kRounds * plans.size());
  Turns turns(plans.size());
  for (int round = -kWarmUps; round < kRounds; ++round) {
    for (const std::size_t k : turns.next()) {
      meet(yard);
      const double begin = MPI_Wtime();
      plans[k]->start();
      plans[k]->wait();
      if (round < 0) continue;
      seconds[static_cast<std::size_t>(round) * plans.size() + k] = MPI_Wtime() - begin;
    }
  }
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallreduce(MPI_IN_PLACE, seconds.data(), static_cast<int>(seconds.size()),
                           MPI_DOUBLE, MPI_MAX, yard.comm(), &request),
            "MPI_Iallreduce");
  yard.complete(request);
  std::vector<double> medians;
  for (std::size_t k = 0; k < plans.size(); ++k) {
    std::vector<double> rounds;
    for (std::size_t i = k; i < seconds.size(); i += plans.size()) rounds.push_back(seconds[i]);
    std::ranges::nth_element(rounds, rounds.begin() + kRounds / 2);
    medians.push_back(rounds[kRounds / 2]);
  }
  return medians;
}

}  // namespace

std::unique_ptr<PlannedExchange> make_plan(const std::shared_ptr<YardState>& yard,
                                           const Options& options, const SendBlocks& send,
                                           const ReceiveBlocks& receive) {
  if (options.algorithm == kNative) return std::make_unique<NativePlan>(yard, send, receive);
  const Schedule& schedule = yard->schedule(options.algorithm, options);
  Options limited = options;
  // Packets have their turns.
  if (options.packet == 0) limited.window = within_limits(options.window, *schedule.algorithm);
  return build_plan(yard, schedule, limited, send, receive);
}

std::string winner(const std::vector<Trial>& trials) {
  // A few rounds on a machine with other work differ by this much with nothing behind it.
  constexpr double kClearly = 0.9;
  const auto straight = std::ranges::find(trials, kStraight, &Trial::algorithm);
  const auto fastest = std::ranges::min_element(trials, {}, &Trial::seconds);
  const bool clear = straight == trials.end() || fastest->seconds < kClearly * straight->seconds;
  return clear ? fastest->algorithm : straight->algorithm;
}

PlanChoice choose_plan(const std::shared_ptr<YardState>& yard, const Options& options,
                       const SendBlocks& send, const ReceiveBlocks& receive) {
  const Agreed agreed = agree(*yard, send, receive);
  std::vector<std::string> candidates =
      likely_algorithms(yard->ranks(), agreed.traffic, kTypicalLink);
  if (agreed.traffic.largest_load > kLargestTrial) return {candidates.front(), {}};
  std::ranges::move(likely_node_algorithms(*yard->machine(), agreed.traffic, kLargestTrial),
                    std::back_inserter(candidates));
  if (agreed.native_fits) candidates.emplace_back(kNative);

  const Scratch scratch(send, receive);
  std::vector<std::unique_ptr<PlannedExchange>> plans;
  for (const std::string& name : candidates) {
    Options candidate = options;
    candidate.algorithm = name;
    plans.push_back(make_plan(yard, candidate, scratch.send(), scratch.receive()));
  }
  const std::vector<double> seconds = time_plans(*yard, plans);
  PlanChoice choice;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    choice.trials.push_back({candidates[k], seconds[k]});
  }
  std::ranges::stable_sort(choice.trials, {}, &Trial::seconds);
  choice.algorithm = winner(choice.trials);
  return choice;
}

}  // namespace shunt
