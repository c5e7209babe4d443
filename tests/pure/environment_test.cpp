// The table of variables: what is read, what is wrong with values, and what tells users of them.
#include "environment/environment.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "environment/same_on_all_ranks.hpp"
#include "environment/variables.hpp"
#include "pure/sentences.hpp"
#include "shunt/error.hpp"

namespace shunt {
namespace {

/// No variable of Shunt's is set but those that a test sets.
class EnvironmentTest : public testing::Test {
 protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }

  static void clear() {
    for (const Variable& variable : variables()) unsetenv(variable.name);
    unsetenv("SHUNT_ALGORITM");
  }
  static void set(const char* name, const char* value) { setenv(name, value, 1); }
};

std::string contents(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_of_preload(const Variable& variable) {
  return std::string_view(variable.meaning).starts_with("preloaded:");
}

TEST_F(EnvironmentTest, IsTheDefaultWhereNothingIsSet) {
  const Environment read = read_environment();
  EXPECT_TRUE(read.faults.empty());
  EXPECT_EQ(read.asked, Asked::automatic);
  EXPECT_EQ(read.asked_allgather, Asked::automatic);
  EXPECT_EQ(read.options.memory, 0);
  EXPECT_FALSE(read.check || read.disabled || read.verbose);
  EXPECT_TRUE(read.trace.empty() && read.statistics.empty());
  EXPECT_DOUBLE_EQ(read.warm_up, 5e-3);
}

TEST_F(EnvironmentTest, TakesEachValue) {
  set("SHUNT_ALGORITHM", "four-stage grain=8");
  set("SHUNT_ALLGATHER", "native");
  set("SHUNT_MODE", "single");
  set("SHUNT_PACKET", "4096");
  set("SHUNT_MEMORY", "2M");
  set("SHUNT_CHECK", "1");
  set("SHUNT_EFFORT", "patient");
  set("SHUNT_WARM_UP", "7");
  set("SHUNT_DISABLE", "1");
  set("SHUNT_VERBOSE", "1");
  set("SHUNT_STATS", "counts.json");
  set("SHUNT_TRACE", "calls");
  const Environment read = read_environment();
  EXPECT_TRUE(read.faults.empty());
  EXPECT_EQ(read.options.algorithm, "four-stage");
  EXPECT_EQ(read.options.grain, 8);
  EXPECT_EQ(read.asked, Asked::algorithm);
  EXPECT_EQ(read.asked_allgather, Asked::native);
  EXPECT_EQ(read.options.packet, 4096);
  for (const Options& options : {read.options, read.allgather}) {
    EXPECT_EQ(options.mode, Mode::single_buffer);
    EXPECT_EQ(options.memory, Bytes{2} << 20);
    EXPECT_EQ(options.effort, Effort::patient);
  }
  EXPECT_TRUE(read.check && read.disabled && read.verbose);
  EXPECT_DOUBLE_EQ(read.warm_up, 7e-3);
  EXPECT_EQ(read.statistics, "counts.json");
  EXPECT_EQ(read.trace, "calls");
}

TEST_F(EnvironmentTest, HasTheNameOfAnAlias) {
  set("SHUNT_ALGORITHM", " a4 grain=8");
  set("SHUNT_ALLGATHER", "br-xy-dim:2x4");
  const Environment read = read_environment();
  EXPECT_EQ(read.options.algorithm, "four-stage");
  EXPECT_EQ(read.options.grain, 8);
  EXPECT_EQ(read.allgather.algorithm, "halving-by-shape:2x4");
}

TEST_F(EnvironmentTest, NamesEachVariableThatIsWrong) {
  const char* const wrong[] = {"SHUNT_MODE",    "SHUNT_PACKET",  "SHUNT_MEMORY",
                               "SHUNT_CHECK",   "SHUNT_EFFORT",  "SHUNT_LEARN",
                               "SHUNT_WARM_UP", "SHUNT_DISABLE", "SHUNT_VERBOSE"};
  for (const char* name : wrong) set(name, "sideways");
  set("SHUNT_ALGORITHM", "linear mode=sideways");
  const Environment read = read_environment();
  EXPECT_EQ(read.faults.size(), std::size(wrong) + 1);
  for (const char* name : wrong) {
    EXPECT_TRUE(contains(read.faults, name));
  }
  try {
    expect_readable(read);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::argument);
    for (const char* name : wrong) EXPECT_TRUE(contains({error.what()}, name));
  }
}

TEST_F(EnvironmentTest, AnEmptyValueIsNone) {
  for (const Variable& variable : variables()) set(variable.name, "");
  EXPECT_TRUE(read_environment().faults.empty());
}

TEST_F(EnvironmentTest, TellsOfMisspeltVariables) {
  EXPECT_TRUE(misspelt_variables().empty());
  set("SHUNT_ALGORITM", "linear");
  EXPECT_EQ(misspelt_variables().size(), 1U);
  EXPECT_TRUE(contains(misspelt_variables(), "SHUNT_ALGORITM is set"));
}

TEST_F(EnvironmentTest, HeaderAndDocumentsTellOfEachVariable) {
  const std::string header = contents("include/shunt/shunt.h");
  const std::string document = contents("docs/interposer.md");
  ASSERT_FALSE(header.empty() || document.empty());
  for (const Variable& variable : variables()) {
    if (variable.scope == Scope::command) continue;
    EXPECT_NE(document.find(std::string("| ") + variable.name), std::string::npos) << variable.name;
    if (is_of_preload(variable)) continue;
    EXPECT_NE(header.find(std::string("*   ") + variable.name), std::string::npos) << variable.name;
  }
}

TEST_F(EnvironmentTest, FingerprintsAreOfWhatRanksMustHaveAlike) {
  const std::vector<std::int64_t> unset = fingerprints();
  set("SHUNT_MODE", "dual");
  set("SHUNT_WISDOM", "mine.json");
  EXPECT_EQ(fingerprints(), unset);
  set("SHUNT_TRACE", "here");
  const std::vector<std::int64_t> traced = fingerprints();
  EXPECT_NE(traced, unset);
  set("SHUNT_TRACE", "there");
  EXPECT_EQ(fingerprints(), traced);
  EXPECT_EQ(sentence_on_differences(traced, traced), "");
  EXPECT_EQ(sentence_on_differences(traced, unset),
            "SHUNT_TRACE is set on some ranks only: here it is \"there\"; `shunt run` hands "
            "variables to all ranks");
  for (const Variable& variable : variables()) {
    if (variable.scope < Scope::all_or_none) continue;
    clear();
    set(variable.name, "3");
    const std::vector<std::int64_t> with = fingerprints();
    clear();
    const std::string sentence = sentence_on_differences(unset, with);
    EXPECT_TRUE(sentence.starts_with(variable.name)) << variable.name << ": " << sentence;
    EXPECT_TRUE(contains({sentence}, "here it is not set")) << sentence;
  }
}

}  // namespace
}  // namespace shunt
