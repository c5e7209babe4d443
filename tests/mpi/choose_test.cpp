// Which algorithms are worth a trial.
#include "planner/choose.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <ranges>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "algorithms/allgather_registry.hpp"
#include "algorithms/registry.hpp"
#include "lab/simulation/followed_work.hpp"
#include "lab/traffic/patterns.hpp"
#include "mpi/block_case.hpp"
#include "shunt/options.hpp"

namespace shunt {
namespace {

/// Trying what sends the same messages is to choose by chance.
TEST(LikelyAlgorithms, SendOtherMessagesThanLinear) {
  for (Rank ranks = 2; ranks <= 20; ++ranks) {
    const Machine machine = Machine::blocked(ranks, ranks);
    const Profile profile = typical_profile({"", "", ranks, 1, ranks, 2});
    for (const Bytes block : {Bytes{1}, Bytes{100}, Bytes{10000}}) {
      const TrafficSummary traffic = any_traffic({block * ranks, block}, ranks);
      const Surroundings surroundings = Surroundings::known(machine);
      const auto expected =
          expected_exchanges({profile, surroundings, machine, traffic, CallForm::one_shot, {}});
      EXPECT_EQ(std::ranges::count(expected, Configuration{.algorithm = "linear"}), 1);
      for (const Configuration& candidate : expected) {
        const std::string& name = candidate.algorithm;
        if (name == kStraight) continue;
        EXPECT_GT(make_algorithm(name, machine, 512)->stages(), 1) << name << ", " << ranks;
      }
    }
  }
}

/// What the model expects of linear and what spreads blocks, of three stages and of Bruck's
/// radices, where every block is known.
std::map<std::string, double> expected_of_all(const Profile& profile, const Machine& machine,
                                              const Traffic& traffic) {
  std::map<std::string, double> seconds;
  for (const char* name : {"linear", "two-stage", "row-column", "four-stage", "stages:3", "grid:3",
                           "bruck:2", "bruck:4"}) {
    const auto algorithm = make_algorithm(name, machine, Options{}.grain);
    seconds[name] = expected_seconds(profile, *algorithm, machine, traffic, 8, CallForm::plan);
  }
  return seconds;
}

/// Which algorithms are tried follows from a few numbers that the ranks agree on. The one that
/// would be the fastest is among them, or one that is nearly as fast. Ranks share the work.
TEST(LikelyAlgorithms, AreNearTheFastestOfAnyTraffic) {
  const char* const patterns[] = {"uniform",      "pattern1",   "pattern2",        "zipf:1.2",
                                  "neighbours:4", "hot-sender", "lower-triangular"};
  int traffics = 0;
  for (const Machine& machine : {Machine::blocked(16, 16), Machine::blocked(64, 4),
                                 Machine::blocked(64, 1), Machine::blocked(13, 1)}) {
    const Rank ranks = machine.ranks();
    const Profile profile =
        typical_profile({"", "", ranks, machine.nodes(), machine.size_of(0), 2});
    for (const char* pattern : patterns) {
      for (const Bytes maximum : {8, 100, 2000, 20000}) {
        if (traffics++ % test::world_size() != test::world_rank()) continue;
        const auto traffic = make_traffic(pattern, {ranks, maximum, 1, 1});
        const auto all = expected_of_all(profile, machine, *traffic);
        double likely = std::numeric_limits<double>::infinity();
        const Surroundings surroundings = Surroundings::known(machine);
        for (const Configuration& candidate : expected_exchanges(
                 {profile, surroundings, machine, summary_of(*traffic, 8), CallForm::plan, {}})) {
          const std::string& name = candidate.algorithm;
          if (all.contains(name)) likely = std::min(likely, all.at(name));
        }
        const double least = std::ranges::min(all | std::views::values);
        EXPECT_LE(likely, 1.1 * least) << pattern << " " << maximum << ", " << ranks << " ranks on "
                                       << machine.nodes() << " nodes";
      }
    }
  }
}

/// Whether `likely_exchanges` has the algorithm where ranks send 256 KiB each, and the longest
/// block has `longest` bytes.
bool tries(const char* name, const Machine& machine, const Profile& profile, Bytes longest) {
  constexpr Bytes kLoad = 1 << 18;
  const TrafficSummary traffic{{kLoad, longest}, machine.ranks(), machine.ranks() * kLoad};
  const Surroundings surroundings = Surroundings::known(machine);
  const auto candidates =
      likely_exchanges({profile, surroundings, machine, traffic, CallForm::plan, {}});
  const auto count = std::ranges::count(candidates, name, &Configuration::algorithm);
  EXPECT_LE(count, 1);
  return count > 0;
}

/// Long blocks may share links.
TEST(LikelyAlgorithms, SpreadWhatGoesOneWay) {
  for (const char* name : {"two-stage", "four-stage"}) {
    const Machine lone = Machine::blocked(256, 1);
    Profile profile = typical_profile({"", "", 256, 256, 1, 1});
    EXPECT_TRUE(tries(name, lone, profile, (1 << 17) + 1)) << name;
    EXPECT_FALSE(tries(name, lone, profile, 1 << 17)) << name;
    profile.plan.copy_per_byte = 1e-8;
    EXPECT_FALSE(tries(name, lone, profile, 1 << 18)) << name << " copies everything twice";
    for (const Rank nodes : {16, 17}) {
      Profile few = typical_profile({"", "", 16 * nodes, nodes, 16, 16});
      // Neither is expected to be nearly as fast as others.
      few.plan.inside_per_byte = few.plan.copy_per_byte = 1e-10;
      EXPECT_EQ(tries(name, Machine::blocked(16 * nodes, 16), few, 1 << 18), nodes == 17) << name;
    }
  }
}

/// Whether "auto" tries single copies.
bool tries_once(const Profile& profile, const Machine& machine, const TrafficBound& bound,
                const Options& asked = {}) {
  const Surroundings surroundings = Surroundings::known(machine);
  const auto candidates = likely_exchanges(
      {profile, surroundings, machine, any_traffic(bound, machine.ranks()), CallForm::plan, asked});
  Configuration once = asked;
  once.algorithm = "linear";
  once.single_copy = true;
  return std::ranges::count(candidates, once) > 0;
}

TEST(SingleCopies, AreLeftOutWhereTheyCannotPay) {
  const Machine nodes = Machine::blocked(8, 4);
  Profile profile = typical_profile({"", "", 8, 2, 4, 4});
  const TrafficBound longer{1 << 20, 8192};
  EXPECT_TRUE(tries_once(profile, nodes, longer));
  EXPECT_TRUE(tries_once(profile, nodes, {kLargestTrial + 1, 8192}));
  EXPECT_FALSE(tries_once(profile, nodes, {1 << 20, 8191}));
  EXPECT_FALSE(tries_once(profile, nodes, longer, {.shared_memory = false}));
  EXPECT_FALSE(tries_once(profile, nodes, longer, {.mode = Mode::blocking}));
  EXPECT_FALSE(tries_once(profile, Machine::blocked(8, 1), longer));
  profile.plan.way_out_per_byte = 1e-8;
  EXPECT_FALSE(tries_once(profile, nodes, longer));
  EXPECT_TRUE(tries_once(profile, Machine::blocked(8, 8), longer));
}

/// With more to move, what has buffers is not tried.
TEST(LikelyExchanges, NeedNoBuffersWhereMuchIsMoved) {
  const Machine machine = Machine::blocked(32, 8);
  const Profile profile = typical_profile({"", "", 32, 4, 8, 8});
  const Surroundings surroundings = Surroundings::known(machine);
  const auto names_of = [&](Bytes load) {
    std::vector<std::string> names;
    for (const Configuration& candidate : likely_exchanges({profile,
                                                            surroundings,
                                                            machine,
                                                            any_traffic({load, load / 32}, 32),
                                                            CallForm::one_shot,
                                                            {}})) {
      names.push_back(configuration_text(candidate, {}));
    }
    return names;
  };
  const std::vector<std::string> many = names_of(Bytes{2} << 20);
  for (const char* name : {"node-pairwise", "leaders:1", "leaders:2"}) {
    EXPECT_EQ(std::ranges::count(many, name), 1) << name;
  }
  EXPECT_EQ(std::ranges::count(names_of((Bytes{2} << 20) + 1), "leaders:1"), 0)
      << "a node has more than 16 MiB";
  EXPECT_EQ(names_of(kLargestTrial + 1),
            (std::vector<std::string>{"linear", "linear shared=once"}));
}

/// Each has a reason, and says when; what is tried are configurations.
TEST(Candidates, AreDescribed) {
  for (const auto& rule : alltoallv_candidates()) {
    EXPECT_FALSE(rule.when.empty() || rule.why.empty() || rule.candidates.empty());
    for (const std::string& candidate : rule.candidates) {
      const std::string name = read_configuration(candidate, {}).algorithm;
      EXPECT_EQ(make_algorithm(name, 16, 512)->ranks(), 16) << candidate;
    }
  }
  for (const auto& rule : allgatherv_candidates()) {
    EXPECT_FALSE(rule.when.empty() || rule.why.empty() || rule.candidates.empty());
    for (const std::string& name : rule.candidates) {
      EXPECT_NE(make_allgather(name, Sources(std::vector<Bytes>(16, 1))), nullptr) << name;
    }
  }
}

TEST(UsualConfiguration, CopiesOnceWhatStaysInNoCache) {
  const Options asked{.grain = 64};
  const Configuration straight{.algorithm = "linear", .grain = 64};
  const Configuration once{.algorithm = "linear", .grain = 64, .single_copy = true};
  const Machine machine = Machine::blocked(8, 8);
  const Profile profile = typical_profile({"", "", 8, 1, 8, 8});
  const Surroundings surroundings = Surroundings::known(machine);
  const auto usual = [&](const TrafficBound& bound) {
    return usual_configuration(
        {profile, surroundings, machine, any_traffic(bound, 8), CallForm::plan, asked});
  };
  EXPECT_EQ(usual({(2 << 20) - 1, 8192}), straight);
  EXPECT_EQ(usual({2 << 20, 8192}), once);
  EXPECT_EQ(usual({2 << 20, 8191}), straight);
}

/// The all-gather of one long block that is expected to be the fastest between lone ranks.
std::string expected_of_one_source(double start_up, double per_byte) {
  constexpr Rank kRanks = 16;
  const Machine machine = Machine::blocked(kRanks, 1);
  Profile profile = typical_profile({"", "", kRanks, kRanks, 1, 1});
  profile.plan.outside_start_up = start_up;
  profile.plan.outside_per_byte = per_byte;
  std::vector<Bytes> lengths(kRanks, 0);
  lengths[5] = 100000;
  return likely_allgathers({Sources(lengths), machine, false}, profile,
                           Surroundings::known(machine), CallForm::plan, {})
      .front()
      .algorithm;
}

TEST(LikelyAllgathers, GoByWhatTheMachineCosts) {
  EXPECT_EQ(expected_of_one_source(1e-7, 1e-8), "scatter-allgather");
  EXPECT_NE(expected_of_one_source(1e-2, 1e-10), "scatter-allgather");
}

}  // namespace
}  // namespace shunt
