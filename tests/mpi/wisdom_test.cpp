// Plans that remember what was the fastest, and how much planning may try.
#include <string>

#include <gtest/gtest.h>

#include "context/context.hpp"
#include "lab/traffic/patterns.hpp"
#include "model/counted.hpp"
#include "mpi/block_case.hpp"
#include "mpi/gather_case.hpp"
#include "mpi/own_clock.hpp"
#include "mpi/own_wisdom.hpp"
#include "support/variable.hpp"

namespace shunt::test {
namespace {

/// A plan of `maximum` elements at most; how many plans were made for it, and what it says.
struct Planned {
  explicit Planned(Bytes maximum, const Options& options = {})
      : blocks(*make_traffic("uniform", {world_size(), maximum, 1, 1}), 8, everything) {
    Context& state = *Context::of(MPI_COMM_WORLD);
    Communicator communicator(MPI_COMM_WORLD);
    const int first = state.draw_tag();
    Plan plan = communicator.plan_alltoallv(blocks.to_send(), blocks.send_bytes(),
                                            blocks.to_receive(), blocks.receive_bytes(), options);
    tags = state.draw_tag() - first;
    text = plan.explain();
    blocks.poison();
    plan.execute();
    EXPECT_EQ(blocks.received, blocks.expected) << text;
  }

  [[nodiscard]] bool says(const std::string& words) const {
    return text.find(words) != std::string::npos;
  }

  /// "four-stage grain=4096 on 5 ranks, dual mode", the same on all ranks.
  [[nodiscard]] std::string headline() const {
    std::string line = text.substr(0, text.find('\n'));
    std::string first = line;
    auto length = static_cast<int>(first.size());
    MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    first.resize(static_cast<std::size_t>(length));
    MPI_Bcast(first.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
    EXPECT_EQ(line, first);
    return first;
  }

  [[nodiscard]] std::string algorithm() const {
    const std::string line = headline();
    return line.substr(0, line.find(" on "));
  }

  BlockCase blocks;
  int tags = 0;
  std::string text;
};

/// Tags that are drawn where the algorithm is given, and so nothing is tried.
int tags_of_one_plan(const std::string& algorithm, Bytes maximum) {
  return Planned(maximum, {.algorithm = algorithm}).tags;
}

TEST_F(PlansWithWisdom, TryNothingTheSecondTime) {
  OwnWisdom wisdom;
  const Planned first(10);
  EXPECT_TRUE(first.says("found by trials, effort measure")) << first.text;
  const Planned second(10);
  EXPECT_TRUE(second.says("remembered from 2")) << second.text;
  EXPECT_TRUE(second.says("then  " + first.algorithm())) << second.text;
  EXPECT_FALSE(second.says("tried")) << second.text;
  EXPECT_EQ(second.headline(), first.headline());
  EXPECT_EQ(second.tags, tags_of_one_plan(first.algorithm(), 10));
  EXPECT_GT(first.tags, second.tags);
  // Another class of traffic, other options.
  EXPECT_TRUE(Planned(100).says("found by trials"));
  EXPECT_TRUE(Planned(10, {.mode = Mode::single_buffer}).says("found by trials"));
}

TEST_F(PlansWithWisdom, RememberInTheFile) {
  OwnWisdom wisdom;
  const Planned first(10);
  const Wisdom saved = wisdom.saved();
  EXPECT_EQ(saved.entries().size(), world_rank() == 0 ? 1U : 0U);
  for (const auto& [key, entry] : saved.entries()) {
    EXPECT_EQ(key.kind, "alltoallv plan");
    EXPECT_EQ(key.ranks.find(counted(world_size(), "rank") + ", "), 0U) << key.ranks;
    EXPECT_EQ(entry.effort, Effort::measure);
    EXPECT_GE(entry.trials.size(), 2U);
    EXPECT_TRUE(first.says("tried " + entry.algorithm));
  }
  EXPECT_TRUE(Planned(10).says("remembered from 2"));
}

TEST_F(PlansWithWisdom, LearnNothingWhereTheFirstRankIsNotToRemember) {
  const Variable none("SHUNT_WISDOM", world_rank() == 0 ? "none" : "/nowhere/wisdom.json");
  EXPECT_TRUE(Planned(10).says("found by trials"));
  EXPECT_TRUE(Planned(10).says("found by trials"));
}

TEST_F(PlansWithWisdom, TakeWhatTookEnoughEffort) {
  OwnWisdom wisdom;
  const Options patient{.effort = Effort::patient};
  const Options estimate{.effort = Effort::estimate};
  EXPECT_TRUE(Planned(10, estimate).says("the model's choice from "));
  EXPECT_TRUE(Planned(10).says("found by trials, effort measure"));
  EXPECT_TRUE(Planned(10, estimate).says("effort measure"));
  const Planned found(10, patient);
  EXPECT_TRUE(found.says("found by trials, effort patient")) << found.text;
  for (const Effort effort : kEfforts) {
    const Planned again(10, {.effort = effort});
    EXPECT_TRUE(again.says("remembered from 2")) << again.text;
    EXPECT_TRUE(again.says("effort patient")) << again.text;
    EXPECT_EQ(again.headline(), found.headline());
  }
}

TEST_F(PlansWithWisdom, OfOneLimitOfMemoryAreNotOfAnother) {
  OwnWisdom wisdom;
  const Options roomy{.effort = Effort::patient, .memory = Bytes{1} << 30};
  EXPECT_TRUE(Planned(10, {.effort = Effort::patient}).says("found by trials"));
  EXPECT_TRUE(Planned(10, roomy).says("found by trials"));
  EXPECT_TRUE(Planned(10, roomy).says("remembered from 2"));
}

TEST_F(PlansWithWisdom, TakeNothingBeyondTheLimitOfMemory) {
  if (world_size() == 1) GTEST_SKIP() << "one rank needs no buffers";
  OwnWisdom wisdom;
  EXPECT_TRUE(Planned(10, {.memory = Bytes{1} << 30}).says("found by trials"));
  const Wisdom saved = wisdom.saved();
  for (const bool fits : {true, false}) {
    Wisdom known;
    for (const auto& [key, entry] : saved.entries()) {
      WisdomKey other_key = key;
      other_key.options = fits ? "dual, grain 512, memory 1000000" : "dual, grain 512, memory 100";
      WisdomEntry other_entry = entry;
      other_entry.algorithm = "four-stage";
      known.learn(other_key, other_entry);
    }
    OwnWisdom other;
    other.put(known);
    const Planned plan(10, {.memory = fits ? 1000000 : 100});
    EXPECT_EQ(plan.says("remembered from"), fits) << plan.text;
    EXPECT_EQ(plan.algorithm(), fits ? "four-stage" : "linear") << plan.text;
  }
}

TEST_F(PlansWithWisdom, EstimateRunsNothing) {
  const Planned plan(10, {.effort = Effort::estimate});
  EXPECT_TRUE(plan.says("the model's choice from " + plan.algorithm())) << plan.text;
  EXPECT_EQ(plan.tags, tags_of_one_plan(plan.algorithm(), 10));
}

TEST_F(PlansWithWisdom, PatientTriesMore) {
  // Trials end once they took two seconds.
  const OwnClock clock;
  const Planned measured(10);
  const Planned patient(10, {.effort = Effort::patient});
  EXPECT_GT(patient.tags, measured.tags + 2 * 10);
  EXPECT_TRUE(patient.says("tried bruck:2")) << patient.text;
  EXPECT_TRUE(patient.says("tried native")) << patient.text;
  // Where only some pairs may have data; a lone rank is one of them.
  EXPECT_EQ(patient.says("tried groups"), world_size() == 1) << patient.text;
}

TEST_F(PlansWithWisdom, DoNotLearnWhereTheFirstRankMayNot) {
  OwnWisdom wisdom;
  EXPECT_TRUE(Planned(10).says("found by trials"));
  {
    const Variable learn("SHUNT_LEARN", world_rank() == 0 ? "0" : "1");
    EXPECT_TRUE(Planned(10).says("the model's choice"));
    EXPECT_TRUE(Planned(100, {.effort = Effort::patient}).says("the model's choice"));
  }
  const Variable learn("SHUNT_LEARN", world_rank() == 0 ? "1" : "0");
  EXPECT_TRUE(Planned(10).says("remembered from 2"));
  EXPECT_EQ(wisdom.saved().entries().size(), world_rank() == 0 ? 1U : 0U);
}

TEST_F(PlansWithWisdom, TryAgainWhereWhatIsRememberedDoesNotFit) {
  OwnWisdom wisdom;
  (void)Planned(10);
  const Wisdom known = wisdom.saved();
  const auto with = [&](const std::string& algorithm) {
    Wisdom other;
    for (auto [key, entry] : known.entries()) {
      entry.algorithm = algorithm;
      other.learn(key, entry);
    }
    wisdom.put(other);
    return Planned(10);
  };
  const Planned fits = with("four-stage mode=single grain=1024");
  EXPECT_TRUE(fits.says("remembered from 2")) << fits.text;
  EXPECT_EQ(fits.headline(), "four-stage mode=single grain=1024 on " +
                                 std::to_string(world_size()) + " ranks, single mode");
  // An alias is as good, and is nowhere printed.
  EXPECT_EQ(with("a4 mode=single grain=1024").headline(), fits.headline());
  for (const char* algorithm :
       {"a9", "linear speed=1", "recursive-halving", "stages:0", "torus-split:7x9", "", "auto"}) {
    const Planned again = with(algorithm);
    EXPECT_TRUE(again.says("found by trials, effort measure")) << algorithm << ": " << again.text;
  }
  // Only some pairs have data; a lone rank is one of them.
  EXPECT_EQ(with("groups").says("found by trials"), world_size() > 1);
  // What was found then stands in the place of that, in the file too.
  EXPECT_TRUE(Planned(10).says("remembered from 2"));
  const Wisdom corrected = wisdom.saved();
  for (const auto& [key, entry] : corrected.entries()) {
    EXPECT_EQ(entry.algorithm == "groups", world_size() == 1);
  }
}

TEST_F(PlansWithWisdom, GoOnWithoutAFileThatCanBeRead) {
  OwnWisdom wisdom;
  for (const char* text : {"{", "a letter", R"({"format":"shunt-wisdom","version":2})"}) {
    wisdom.put(text);
    EXPECT_TRUE(Planned(10).says("found by trials")) << text;
    EXPECT_TRUE(Planned(10).says("remembered from 2")) << text;
  }
}

TEST_F(PlansWithWisdom, OfAllgathersTryNothingTheSecondTime) {
  OwnWisdom wisdom;
  Communicator communicator(MPI_COMM_WORLD);
  Context& state = *Context::of(MPI_COMM_WORLD);
  int tags = 0;
  const auto plan = [&](const SourceCase& sources, const Options& options) {
    GatherCase blocks(sources.counts, 8);
    const int first = state.draw_tag();
    Plan planned =
        communicator.plan_allgatherv(blocks.to_send(), blocks.to_receive(), blocks.layout, options);
    tags = state.draw_tag() - first;
    blocks.refill(0);
    planned.execute();
    EXPECT_EQ(blocks.received, blocks.expected) << sources.name;
    return planned.explain();
  };
  for (const SourceCase& sources : source_cases(world_size(), 100)) {
    if (sources.name.starts_with("all") || sources.name == "uneven") continue;
    SCOPED_TRACE(sources.name);
    const std::string patient = plan(sources, {.effort = Effort::patient});
    const int tags_of_all = tags;
    const bool is_found = patient.find("found by trials, effort patient") != std::string::npos;
    const bool is_known = patient.find("remembered from 2") != std::string::npos;
    EXPECT_TRUE(is_found || is_known) << patient;
    const std::string again = plan(sources, {});
    EXPECT_NE(again.find("remembered from 2"), std::string::npos) << again;
    EXPECT_EQ(again.substr(0, again.find('\n')), patient.substr(0, patient.find('\n')));
    EXPECT_EQ(tags_of_all > tags + 2 * 10, is_found);
  }
}

}  // namespace
}  // namespace shunt::test
