// Which algorithms are worth a trial.
#include "planner/choose.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <ranges>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "lab/traffic/patterns.hpp"
#include "model/traffic.hpp"
#include "mpi/block_case.hpp"
#include "shunt/options.hpp"

namespace shunt {
namespace {

/// Trying what sends the same messages is to choose by chance.
TEST(LikelyAlgorithms, SendOtherMessagesThanA1) {
  for (Rank ranks = 2; ranks <= 20; ++ranks) {
    const Machine machine = Machine::blocked(ranks, ranks);
    const Profile profile = typical_profile({"", "", ranks, 1, ranks, 2});
    for (const Bytes block : {Bytes{1}, Bytes{100}, Bytes{10000}}) {
      const TrafficSummary traffic = any_traffic({block * ranks, block}, ranks);
      const auto names = likely_algorithms(profile, machine, traffic, CallForm::one_shot);
      EXPECT_EQ(std::ranges::count(names, kStraight), 1);
      for (const std::string& name : names) {
        if (name == kStraight) continue;
        EXPECT_GT(make_algorithm(name, machine, 512)->stages(), 1) << name << ", " << ranks;
      }
    }
  }
}

/// What the model expects of A1 and A2 to A4, three stages and radices, where every block is known.
std::map<std::string, double> expected_of_all(const Profile& profile, const Machine& machine,
                                              const Traffic& traffic) {
  std::map<std::string, double> seconds;
  for (const char* name : {"a1", "a2", "a3", "a4", "stages:3", "collect:3", "radix:2", "radix:4"}) {
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
        for (const std::string& name :
             likely_algorithms(profile, machine, summary_of(*traffic, 8), CallForm::plan)) {
          if (all.contains(name)) likely = std::min(likely, all.at(name));
        }
        const double least = std::ranges::min(all | std::views::values);
        EXPECT_LE(likely, 1.1 * least) << pattern << " " << maximum << ", " << ranks << " ranks on "
                                       << machine.nodes() << " nodes";
      }
    }
  }
}

/// Of `likely_algorithms` where ranks send 256 KiB each, with a block of that length or less.
bool tries(const char* name, const Machine& machine, const Profile& profile, Bytes longest) {
  constexpr Bytes kLoad = 1 << 18;
  const TrafficSummary traffic{{kLoad, longest}, machine.ranks(), machine.ranks() * kLoad};
  const auto names = likely_algorithms(profile, machine, traffic, CallForm::plan);
  EXPECT_LE(std::ranges::count(names, name), 1);
  return std::ranges::find(names, name) != names.end();
}

/// Long blocks may share links.
TEST(LikelyAlgorithms, SpreadWhatGoesOneWay) {
  for (const char* name : {"a2", "a4"}) {
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

TEST(LikelySingleCopies, AreLeftOutWhereTheyCannotPay) {
  const Machine nodes = Machine::blocked(8, 4);
  Profile profile = typical_profile({"", "", 8, 2, 4, 4});
  const TrafficBound longer{1 << 20, 8192};
  const std::vector<Configuration> all{{.algorithm = "a1", .single_copy = true}};
  EXPECT_EQ(likely_single_copies(profile, nodes, longer, {}), all);
  EXPECT_TRUE(likely_single_copies(profile, nodes, {1 << 20, 8191}, {}).empty());
  EXPECT_TRUE(likely_single_copies(profile, nodes, longer, {.shared_memory = false}).empty());
  EXPECT_TRUE(likely_single_copies(profile, nodes, longer, {.mode = Mode::blocking}).empty());
  EXPECT_TRUE(likely_single_copies(profile, Machine::blocked(8, 1), longer, {}).empty());
  profile.plan.way_out_per_byte = 1e-8;
  EXPECT_TRUE(likely_single_copies(profile, nodes, longer, {}).empty());
  EXPECT_EQ(likely_single_copies(profile, Machine::blocked(8, 8), longer, {}), all);
}

TEST(UsualConfiguration, CopiesOnceWhatStaysInNoCache) {
  const Options asked{.grain = 64};
  const Configuration straight{.algorithm = "a1", .grain = 64};
  const std::vector<Configuration> once{straight_once(asked)};
  EXPECT_EQ(usual_configuration({(2 << 20) - 1, 8192}, asked, once), straight);
  EXPECT_EQ(usual_configuration({2 << 20, 8192}, asked, once), once.front());
  EXPECT_EQ(usual_configuration({2 << 20, 8192}, asked, {}), straight);
}

/// The broadcast of one long block that is expected to be the fastest between lone ranks.
std::string expected_of_one_source(double start_up, double per_byte) {
  constexpr Rank kRanks = 16;
  const Machine machine = Machine::blocked(kRanks, 1);
  Profile profile = typical_profile({"", "", kRanks, kRanks, 1, 1});
  profile.plan.outside_start_up = start_up;
  profile.plan.outside_per_byte = per_byte;
  std::vector<Bytes> lengths(kRanks, 0);
  lengths[5] = 100000;
  return likely_broadcasts(profile, Sources(lengths), Surroundings::known(machine), CallForm::plan,
                           false)
      .front();
}

TEST(LikelyBroadcasts, GoByWhatTheMachineCosts) {
  EXPECT_EQ(expected_of_one_source(1e-7, 1e-8), "scatter-first");
  EXPECT_NE(expected_of_one_source(1e-2, 1e-10), "scatter-first");
}

}  // namespace
}  // namespace shunt
