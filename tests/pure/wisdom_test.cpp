#include "model/wisdom.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/host_kind.hpp"

namespace shunt {
namespace {

const WisdomKey kKey{"host", "MPI", "4 ranks", "alltoallv plan", "dual", "1 KiB"};

WisdomEntry entry(const char* algorithm, Effort effort, std::int64_t found) {
  return {algorithm, 1e-5, effort, found, {}};
}

std::string known(const Wisdom& wisdom, Effort least) {
  const WisdomEntry* const found = wisdom.find(kKey, least);
  return found == nullptr ? "nothing" : found->algorithm;
}

TEST(Wisdom, IsFoundWhereItTookEnoughEffort) {
  Wisdom wisdom;
  EXPECT_EQ(known(wisdom, Effort::estimate), "nothing");
  wisdom.learn(kKey, entry("linear", Effort::measure, 5));
  EXPECT_EQ(known(wisdom, Effort::estimate), "linear");
  EXPECT_EQ(known(wisdom, Effort::measure), "linear");
  EXPECT_EQ(known(wisdom, Effort::patient), "nothing");
}

TEST(Wisdom, HoldsForItsKeyAlone) {
  Wisdom wisdom;
  wisdom.learn(kKey, entry("linear", Effort::measure, 5));
  for (std::string WisdomKey::*part :
       {&WisdomKey::machine, &WisdomKey::mpi, &WisdomKey::ranks, &WisdomKey::kind,
        &WisdomKey::options, &WisdomKey::traffic}) {
    WisdomKey other = kKey;
    other.*part += "x";
    EXPECT_EQ(wisdom.find(other, Effort::estimate), nullptr);
  }
}

TEST(Wisdom, KeepsWhatTookMoreEffortAndThenTheNewer) {
  Wisdom wisdom;
  wisdom.learn(kKey, entry("first", Effort::measure, 5));
  wisdom.learn(kKey, entry("older", Effort::measure, 4));
  EXPECT_EQ(known(wisdom, Effort::estimate), "first");
  wisdom.learn(kKey, entry("newer", Effort::measure, 6));
  EXPECT_EQ(known(wisdom, Effort::estimate), "newer");
  wisdom.learn(kKey, entry("patient", Effort::patient, 3));
  EXPECT_EQ(known(wisdom, Effort::estimate), "patient");
  wisdom.learn(kKey, entry("later", Effort::measure, 7));
  EXPECT_EQ(known(wisdom, Effort::estimate), "patient");
}

TEST(Wisdom, MergesTheBetterOfTwo) {
  Wisdom one;
  Wisdom other;
  WisdomKey second = kKey;
  second.traffic = "2 KiB";
  one.learn(kKey, entry("linear", Effort::measure, 5));
  other.learn(kKey, entry("four-stage", Effort::measure, 6));
  other.learn(second, entry("two-stage", Effort::measure, 1));
  one.merge(other);
  EXPECT_EQ(known(one, Effort::estimate), "four-stage");
  ASSERT_EQ(one.entries().size(), 2U);
  EXPECT_EQ(one.find(second, Effort::measure)->algorithm, "two-stage");
}

TEST(Wisdom, CutsWhatIsTooLongAndReplacesWhatIsNotPlain) {
  Wisdom wisdom;
  WisdomKey key = kKey;
  key.machine = std::string(1000, 'm');
  key.mpi = "M\x1b\xc3\xa4 ~";
  WisdomEntry many = entry("linear", Effort::measure, 5);
  for (int k = 100; k > 0; --k) many.trials.push_back({std::string(999, 't'), 1.0 * k});
  wisdom.learn(key, many);
  const auto& [kept, found] = *wisdom.entries().begin();
  EXPECT_EQ(kept.machine.size(), Wisdom::kLongestText);
  EXPECT_EQ(kept.mpi, "M??? ~");
  ASSERT_EQ(found.trials.size(), Wisdom::kMostTrials);
  EXPECT_EQ(found.trials.front().seconds, 1.0);
  EXPECT_EQ(found.trials.front().algorithm.size(), Wisdom::kLongestText);
}

TEST(Wisdom, TellsLayoutsOfRanksApart) {
  EXPECT_EQ(ranks_text(Machine::blocked(16, 8)), "16 ranks, 2 nodes of 8");
  EXPECT_EQ(ranks_text(Machine::round_robin(16, 2)), "16 ranks, 2 nodes of 8, mixed");
  EXPECT_EQ(ranks_text(Machine::blocked(7, 3)), "7 ranks, 3 nodes of 1-3");
  EXPECT_EQ(ranks_text(Machine::blocked(4, 4)), "4 ranks, 1 node of 4");
  EXPECT_EQ(ranks_text(Machine::blocked(4, 1)), "4 ranks, 4 nodes of 1");
}

TEST(Wisdom, SaysTheDay) {
  EXPECT_EQ(day_text(0), "1970-01-01");
  EXPECT_EQ(day_text(951868799), "2000-02-29");
}

TEST(HostKind, LeavesNumbersOutOfNames) {
  EXPECT_EQ(host_family("node017"), "node#");
  EXPECT_EQ(host_family("r12n034-ib.site"), "r#n#-ib.site");
  EXPECT_EQ(host_family("login"), "login");
  EXPECT_EQ(host_family("3f9c2a1b77de"), "");
  EXPECT_EQ(host_family("3f9c2a1b77d"), "#f#c#a#b#d");
  EXPECT_EQ(host_family(""), "");
}

TEST(HostKind, NamesTheProcessors) {
  EXPECT_EQ(printable("n\xff\n #~"), "n?? #~");
  EXPECT_NE(host_kind().find(" processors"), std::string::npos) << host_kind();
  EXPECT_EQ(host_kind(), host_kind());
}

}  // namespace
}  // namespace shunt
