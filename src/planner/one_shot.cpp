#include "planner/one_shot.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <mpi.h>

#include "exchange/simulated.hpp"
#include "planner/broadcast_choice.hpp"
#include "planner/choose.hpp"
#include "planner/plan_choice.hpp"
#include "planner/trials.hpp"

namespace shunt {

namespace {

/// What the ranks tell each other: the most of each.
struct Told {
  double seconds;  ///< of the last timed call
  double cost;     ///< of the last agreement; of this the least
  double load;
  double longest_block;
  double messages;
  double refusals;  ///< whether the call does not fit into MPI's ints
};

/// Whoever comes last to an agreement sees what it takes by itself.
Told agree(YardState& yard, double own_seconds, const CallTraffic& traffic) {
  const double own[] = {own_seconds,
                        -yard.learned.agreement_seconds,
                        static_cast<double>(traffic.load),
                        static_cast<double>(traffic.longest_block),
                        static_cast<double>(traffic.messages),
                        traffic.native_fits ? 0.0 : 1.0};
  double most[] = {0, 0, 0, 0, 0, 0};
  const double begin = MPI_Wtime();
  yard.reduce(own, most, 6, MPI_DOUBLE, MPI_MAX);
  yard.learned.agreement_seconds = MPI_Wtime() - begin;
  return {most[0], -most[1], most[2], most[3], most[4], most[5]};
}

CallKind kind_of(const Options& options, bool broadcast, NativeCall native) {
  CallKind kind;
  kind.broadcast = broadcast;
  kind.native_needs_consent = native == NativeCall::with_consent;
  kind.mode = options.mode;
  kind.grain = options.grain;
  kind.packet = options.packet;
  kind.shared_memory = options.shared_memory;
  return kind;
}

/// The preferred one first; MPI's own among the others.
std::vector<Candidate> candidates_of(const std::vector<std::string>& names, NativeCall native) {
  std::vector<Candidate> candidates;
  for (const std::string& name : names) candidates.push_back({name});
  candidates.push_back({kNative, native == NativeCall::with_consent});
  return candidates;
}

/// What needs no buffers comes first, and with much to move nothing else is tried.
std::vector<std::string> likely_exchanges(YardState& yard, const CallTraffic& traffic) {
  const TrafficBound bound{traffic.load, traffic.longest_block};
  std::vector<std::string> names{kStraight};
  if (bound.largest_load > kLargestTrial) return names;
  for (std::string& name : likely_algorithms(yard.ranks(), bound, kTypicalLink)) {
    if (name != kStraight) names.push_back(std::move(name));
  }
  std::ranges::move(likely_node_algorithms(*yard.machine(), bound, kLargestTrial),
                    std::back_inserter(names));
  return names;
}

/// Whether there is anything to choose and to learn: a simulated call is made once.
bool learns(const YardState& yard, const Options& options) {
  return options.learn && !kSimulated && yard.ranks() > 1;
}

std::string sentence_of(const Learner& learner, const CallTraffic& traffic, Rank ranks) {
  std::string text = fmt::format("{} ranks, at most {} bytes a rank in blocks of at most {}: {};",
                                 ranks, traffic.load, traffic.longest_block, learner.leader());
  for (const Learner::Tried& tried : learner.tried()) {
    text += fmt::format(" {} {:.1f} us", tried.name, tried.seconds * 1e6);
  }
  return text;
}

}  // namespace

CallTraffic traffic_of(const std::vector<Bytes>& sent, const std::vector<Bytes>& received) {
  CallTraffic traffic;
  for (const std::vector<Bytes>* side : {&sent, &received}) {
    Bytes load = 0;
    Bytes messages = 0;
    for (const Bytes bytes : *side) {
      load += bytes;
      messages += bytes > 0 ? 1 : 0;
      traffic.longest_block = std::max(traffic.longest_block, bytes);
    }
    traffic.load = std::max(traffic.load, load);
    traffic.messages = std::max(traffic.messages, messages);
  }
  return traffic;
}

OneShot::OneShot(YardState& yard, const Options& options, const CallTraffic& traffic,
                 NativeCall native) {
  static const std::string kGoesStraight = kStraight;
  algorithm_ = &kGoesStraight;
  if (!learns(yard, options)) return;
  begin(yard, yard.learned.kinds[kind_of(options, false, native)], traffic,
        [&](const CallTraffic& agreed) {
          return candidates_of(likely_exchanges(yard, agreed), native);
        });
}

OneShot::OneShot(YardState& yard, const Options& options, const Sources& sources, bool native_fits,
                 NativeCall native) {
  const bool any = sources.count() > 0;
  const CallTraffic traffic{sources.total(), any ? sources.length(sources.longest()) : 0,
                            sources.count(), true, native_fits};
  begin(yard, yard.learned.kinds[kind_of(options, true, native)], traffic,
        [&](const CallTraffic& /*agreed*/) {
          const std::vector<std::string> names = likely_broadcasts(
              sources, yard.surroundings(), kTypicalLink, may_use_boards(yard, options));
          if (learns(yard, options)) return candidates_of(names, native);
          return std::vector<Candidate>{{names.front()}};
        });
}

void OneShot::begin(YardState& yard, LearnedKind& kind, const CallTraffic& traffic,
                    const MakeCandidates& candidates) {
  Allowance& allowance = yard.learned.allowance;
  const auto find = [&](const CallTraffic& known) {
    const TrafficClass bits = class_of({known.load, known.longest_block, known.messages});
    auto found = kind.traffics.find(bits);
    if (found == kind.traffics.end()) {
      found = kind.traffics.emplace(bits, LearnedTraffic{Learner(candidates(known))}).first;
      // Where the traffic is known, nobody has to agree on what nobody may try.
      if (!allowance.suffices()) found->second.learner.assign(0, false, allowance);
    }
    return &found->second;
  };
  traffic_ = traffic.is_known ? find(traffic) : kind.current;
  if (traffic_ == nullptr || traffic_->learner.is_due()) {
    const Told told = agree(yard, traffic_ == nullptr ? 0 : traffic_->own_seconds, traffic);
    CallTraffic agreed = traffic;
    agreed.load = static_cast<Bytes>(told.load);
    agreed.longest_block = static_cast<Bytes>(told.longest_block);
    agreed.messages = static_cast<Bytes>(told.messages);
    if (traffic_ != nullptr && told.seconds > 0) {
      const bool was_settled = traffic_->learner.is_settled();
      traffic_->learner.note(told.seconds, allowance);
      if (!was_settled && traffic_->learner.is_settled()) {
        news_ = sentence_of(traffic_->learner, agreed, yard.ranks());
      }
      traffic_->own_seconds = 0;
    }
    if (!traffic.is_known) traffic_ = kind.current = find(agreed);
    traffic_->learner.assign(told.cost, told.refusals == 0, allowance);
    begin_ = MPI_Wtime();
  }
  algorithm_ = &traffic_->learner.take();
}

void OneShot::end() {
  if (begin_ > 0) traffic_->own_seconds = MPI_Wtime() - begin_;
}

}  // namespace shunt
