// The claims of Guo 2000 that can be tried on schedules, and on the model of its node contention.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "lab/schedules/guo_schedule.hpp"
#include "schedule/block_cyclic_classes.hpp"
#include "tools/papers/guo2000.hpp"
#include "tools/verify/redistribution_proofs.hpp"

namespace shunt::guo2000 {

namespace {

constexpr Rank kMostPlaces = 64;  ///< Pilot3 had so many
constexpr Index kBetas[] = {3, 6};

/// Numbers of processors on which each has beta messages.
std::vector<Rank> places_of(Index beta) {
  std::vector<Rank> places;
  for (auto count = static_cast<Rank>(beta) + 1; count <= kMostPlaces; ++count) {
    places.push_back(count);
  }
  return places;
}

Claim claim_on_figure_3() {
  Claim claim("Fig. 3", "the more send to one at once, the longer it takes");
  for (const Bytes bytes : {1024, 4096}) {
    for (Rank senders = 2; senders < kMostPlaces; ++senders) {
      const double fewer = seconds_to_one(senders - 1, bytes);
      const double found = seconds_to_one(senders, bytes);
      claim.try_case(fmt::format("{} B, {} senders, s", bytes, senders), found > fewer, fewer,
                     found);
    }
  }
  return claim;
}

/// From P sources to P destinations, all to all, in messages of a second.
double seconds_of_all_to_all(Rank ranks, bool staggered) {
  std::vector<SizedMessage> messages;
  for (Rank round = 0; round < ranks; ++round) {
    for (Rank from = 0; from < ranks; ++from) {
      const Rank to = staggered ? (from + round) % ranks : round;
      messages.push_back({round, from, ranks + to, 1});
    }
  }
  double last = 0;
  for (const Span& span : send_in_order(messages, 2 * ranks, {0, 1, 0}, Receiving::as_they_come)) {
    last = std::max(last, span.end);
  }
  return last;
}

std::vector<Claim> claims_on_figure_2() {
  Claim waits("1.1", "Fig. 1, all to all: receivers are waited for");
  Claim twice("-", "it takes 2 P - 1 messages in place of P");
  Claim staggered("1.2", "Fig. 4, all to all: P steps, nobody waits");
  for (Rank ranks = 2; ranks <= kMostPlaces; ++ranks) {
    const std::string name = fmt::format("P = {}", ranks);
    const double ascending = seconds_of_all_to_all(ranks, false);
    waits.try_case(name, ascending > ranks, ranks, ascending);
    twice.expect_equal(name, 2.0 * ranks - 1, ascending);
    staggered.expect_equal(name, ranks, seconds_of_all_to_all(ranks, true));
  }
  return {waits, twice, staggered};
}

std::vector<Claim> claims_on_block_cyclic_schedules() {
  Claim uneven("4.1", "P = 12, P' = 8, b = 4, b' = 3: K = 2, but K' = 4");
  const BlockCyclicClasses classes({12, 4}, {8, 3});
  uneven.expect_equal("K", 2, classes.most_sends());
  uneven.expect_equal("K'", 4, classes.most_receives());
  Claim three("1.2", "CYCLIC(6) to CYCLIC(2) on 4: each sends to 3");
  three.expect_equal("K", 3, GuoSchedule(4, 4, 3).step_count());
  Claim proven("4.1", "Algorithm 1: all in K steps, no receiver has two in one");
  Claim steps("5", "K = beta");
  for (const Index beta : kBetas) {
    for (const Rank places : places_of(beta)) {
      const std::string name = fmt::format("beta = {}, P = {}", beta, places);
      const RedistributionProof proof = prove_algorithm_1(places, places, beta);
      proven.expect_equal(name, 0, static_cast<double>(proof.violations.size()));
      steps.expect_equal(name, static_cast<double>(beta), proof.steps);
    }
  }
  return {three, uneven, proven, steps};
}

/// That nobody waits: K start-ups and longest messages.
Claim claim_on_the_time() {
  Claim claim("4.2", "with scheduling at most K (T_s + T_d b)");
  for (const Index beta : kBetas) {
    for (const Rank places : places_of(beta)) {
      const auto messages = messages_of(beta, places, SendOrder::scheduled);
      const Bytes longest = std::ranges::max_element(messages, {}, &SizedMessage::bytes)->bytes;
      const double bound = static_cast<double>(beta) *
                           (kT3d.start_up + static_cast<double>(longest) * kT3d.per_byte);
      const double found = seconds_of(beta, places, kSendings[0], kT3d);
      // In another order sums have other last digits.
      claim.try_case(fmt::format("beta = {}, P = {}, s", beta, places), found < bound * (1 + 1e-9),
                     bound, found);
    }
  }
  return claim;
}

/// A case for every point: sums in another order have other last digits.
void try_not_behind(Claim& claim, const Panel& panel, const char* other) {
  const std::vector<Point>& scheduled = curve_of(panel, kSendings[0].name).points;
  const std::vector<Point>& theirs = curve_of(panel, other).points;
  for (std::size_t i = 0; i < scheduled.size(); ++i) {
    claim.try_case(fmt::format("{}, {}, {}, ms", panel.title, scheduled[i].x, other),
                   scheduled[i].y <= theirs[i].y * (1 + 1e-9), theirs[i].y * 1e3,
                   scheduled[i].y * 1e3);
  }
}

/// Over all numbers of processors.
std::vector<Claim> claims_on_the_comparison() {
  std::vector<Claim> claims;
  std::vector<Panel> panels;
  for (const Index beta : kBetas) panels.push_back(panel_of(beta, places_of(beta), kT3d));
  Claim behind_none("-", "scheduled is behind none of them");
  for (const Sending& sending : kSendings) {
    if (sending.order == SendOrder::scheduled) continue;
    Claim ahead("Fig. 10, 11", fmt::format("scheduled is ahead of {}", sending.name));
    for (const Panel& panel : panels) {
      try_ahead(ahead, panel, kSendings[0].name, sending.name);
      try_not_behind(behind_none, panel, sending.name);
    }
    claims.push_back(std::move(ahead));
  }
  claims.push_back(std::move(behind_none));
  return claims;
}

/// Without start-ups too, where waiting costs most.
Claim claim_on_the_loss() {
  Claim claim("-", "taken as they come: below twice that of scheduled");
  for (const LinkCost& cost : {kT3d, LinkCost{0, kT3d.per_byte, kT3d.copy}}) {
    for (const Index beta : kBetas) {
      for (const Rank places : places_of(beta)) {
        const double scheduled = seconds_of(beta, places, kSendings[0], cost);
        for (const Sending& sending : kSendings) {
          if (sending.receiving != Receiving::as_they_come || sending.order == SendOrder::to_all) {
            continue;
          }
          const double found = seconds_of(beta, places, sending, cost);
          claim.try_case(fmt::format("beta = {}, P = {}, {}, s", beta, places, sending.name),
                         found < 2 * scheduled, 2 * scheduled, found);
        }
      }
    }
  }
  return claim;
}

/// Where the number of processors is doubled.
std::vector<Claim> claims_on_the_gain() {
  std::vector<Claim> claims;
  for (const Sending& sending : kSendings) {
    if (sending.order == SendOrder::scheduled) continue;
    Claim grows("5", fmt::format("the gain over {} grows with P", sending.name));
    for (const Index beta : kBetas) {
      double fewer = 0;
      for (Rank places = beta == 3 ? 4 : 8; places <= kMostPlaces; places *= 2) {
        const double gain =
            seconds_of(beta, places, sending, kT3d) / seconds_of(beta, places, kSendings[0], kT3d);
        if (fewer > 0) {
          grows.try_case(fmt::format("beta = {}, P = {}", beta, places), gain > fewer, fewer, gain);
        }
        fewer = gain;
      }
    }
    claims.push_back(std::move(grows));
  }
  return claims;
}

}  // namespace

std::vector<Claim> claims() {
  std::vector<Claim> all = claims_on_figure_2();
  all.push_back(claim_on_figure_3());
  std::ranges::copy(claims_on_block_cyclic_schedules(), std::back_inserter(all));
  all.push_back(claim_on_the_time());
  std::ranges::copy(claims_on_the_comparison(), std::back_inserter(all));
  all.push_back(claim_on_the_loss());
  std::ranges::copy(claims_on_the_gain(), std::back_inserter(all));
  return all;
}

}  // namespace shunt::guo2000
