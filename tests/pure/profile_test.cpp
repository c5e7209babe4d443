#include "model/profile.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include "model/profile_files.hpp"
#include "model/user_file.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_file.hpp"
#include "support/temporary_folder.hpp"
#include "support/variable.hpp"

namespace shunt {
namespace {

using nlohmann::json;
using test::expect_error;
using test::TemporaryFile;
using test::TemporaryFolder;
using test::Variable;

/// A profile in which every number is another one.
Profile some_profile() {
  Profile profile;
  profile.site = {"a processor", "an MPI 4.1", 12, 3, 5, 2};
  profile.date = "2026-11-22";
  double number = 1e-9;
  for (ExchangeCosts* const costs : {&profile.one_shot, &profile.plan}) {
    for (const CostKey& entry : kCostKeys) costs->*entry.cost = number *= 1.25;
  }
  profile.alltoallv = {{0, 1e-5}, {8, 2e-5}, {1024, 3e-4}};
  profile.allgatherv = {{0, 4e-7}, {64, 5e-5}};
  profile.reduction = 6e-6;
  profile.memory_copy_per_byte = 7e-11;
  profile.contention = 2.5;
  profile.window = 1.5;
  return profile;
}

Profile profile_in(const std::string& text) {
  const TemporaryFile file(".json", text);
  return read_profile(file.path());
}

void refuse(const std::string& text, const std::string& words) {
  const TemporaryFile file(".json", text);
  expect_error(ErrorKind::file, words, [&] { (void)read_profile(file.path()); });
  expect_error(ErrorKind::file, file.path(), [&] { (void)read_profile(file.path()); });
}

/// The file of some profile, after `spoil`.
std::string spoilt(const std::function<void(json&)>& spoil) {
  json object = to_json(some_profile());
  spoil(object);
  return object.dump();
}

TEST(Profile, ComesBackFromItsFile) {
  const Profile profile = profile_in(to_json(some_profile()).dump());
  EXPECT_EQ(to_json(profile), to_json(some_profile()));
  EXPECT_EQ(profile.site.largest_node, 5);
  EXPECT_EQ(profile.site.rank_processors, 2);
  EXPECT_EQ(profile.costs(CallForm::plan), some_profile().plan);
  EXPECT_EQ(profile.costs(CallForm::one_shot), some_profile().one_shot);
  EXPECT_NE(profile.plan, profile.one_shot);
  EXPECT_EQ(profile.alltoallv, some_profile().alltoallv);
  EXPECT_EQ(profile.site.crowd(), 2.5);
}

TEST(Profile, RefusesWhatIsNone) {
  const std::string whole = to_json(some_profile()).dump();
  refuse("", "must be a JSON object");
  refuse("null", "must be a JSON object");
  // Wherever it is cut off.
  for (std::size_t length = 0; length < whole.size(); length += 97) {
    refuse(whole.substr(0, length), "must be a JSON object");
  }
  refuse(std::string(2 << 20, ' '), "a profile has at most 1048576 bytes");
  refuse(spoilt([](json& o) { o["format"] = "shunt-machine"; }), "\"format\" must be");
  refuse(spoilt([](json& o) { o["version"] = 2; }), "\"version\" must be 1");
  refuse(spoilt([](json& o) { o["version"] = "1"; }), "\"version\" must be 1");
  expect_error(ErrorKind::file, "/nowhere.json", [] { (void)read_profile("/nowhere.json"); });
}

TEST(Profile, RefusesEveryNumberThatIsNoCost) {
  for (const char* form : {"one_shot", "plan"}) {
    for (const CostKey& entry : kCostKeys) {
      const std::string key = entry.key;
      refuse(spoilt([&](json& o) { o[form].erase(key); }), "\"" + key + "\" is missing");
      // JSON has no NaN: it is written as null.
      for (const json& bad : {json(-1e-9), json("1e-6"), json(nullptr), json::array({1})}) {
        refuse(spoilt([&](json& o) { o[form][key] = bad; }),
               "\"" + key + "\" must be a number of seconds, 0 or more");
      }
      refuse(spoilt([&](json& o) { o[form][key] = 1e300; }),
             "\"" + key + "\" must be at most 3600");
    }
    refuse(spoilt([&](json& o) { o[form] = 7; }), "must be made of objects");
    refuse(spoilt([&](json& o) { o.erase(form); }), "is missing");
  }
  for (const char* key : {"reduction", "memory_copy_per_byte", "contention", "window"}) {
    refuse(spoilt([&](json& o) { o[key] = -1; }), key);
    refuse(spoilt([&](json& o) { o[key] = 1e200; }), key);
    refuse(spoilt([&](json& o) { o.erase(key); }), "is missing");
  }
  const std::string huge = to_json(some_profile()).dump();
  const std::size_t place = huge.find("6e-06");
  ASSERT_NE(place, std::string::npos);
  refuse(std::string(huge).replace(place, 5, "1e999"), "must be a JSON object");
  refuse(std::string(huge).replace(place, 5, "NaN"), "must be a JSON object");
}

TEST(Profile, RefusesSitesAndTimesThatCannotBe) {
  for (const char* key : {"machine", "mpi", "date"}) {
    refuse(spoilt([&](json& o) { o[key] = 1; }), "must be text");
  }
  for (const char* key : {"ranks", "nodes", "largest_node", "rank_processors"}) {
    for (const json& bad : {json(0), json(-3), json(2.5), json("8"), json(1ULL << 63)}) {
      refuse(spoilt([&](json& o) { o[key] = bad; }),
             std::string("\"") + key + "\" must be a whole number from 1");
    }
  }
  refuse(spoilt([](json& o) { o["nodes"] = 13; }), "\"nodes\" must be a whole number from 1 to 12");
  for (const char* key : {"alltoallv", "allgatherv"}) {
    const auto refuse_times = [&](const json& times, const std::string& words) {
      refuse(spoilt([&](json& o) { o[key] = times; }), words);
    };
    const json first{{"bytes", 8}, {"seconds", 1e-6}};
    refuse_times(json::object(), "must be a list");
    refuse_times(json::array({first}), "must be a list of 2 to 64 objects");
    refuse_times(json(std::vector<json>(65, first)), "must be a list of 2 to 64 objects");
    refuse_times(json::array({first, first}), "\"bytes\" must be a whole number from 9");
    refuse_times(json::array({first, 3}), "must be made of objects");
    refuse_times(json::array({first, {{"bytes", 9}, {"seconds", -1}}}), "\"seconds\" must be");
  }
}

TEST(Profile, IsForTheMachineAndLayoutsLikeItsOwn) {
  const Site site{"m", "i", 16, 2, 8, 4};
  const auto why = [&](const std::function<void(Site&)>& change) {
    Site other = site;
    change(other);
    return why_foreign(site, other);
  };
  EXPECT_EQ(why([](Site&) {}), "");
  EXPECT_EQ(why([](Site& s) { s.ranks = 8; }), "");
  EXPECT_EQ(why([](Site& s) { s.ranks = 32; }), "");
  EXPECT_EQ(why([](Site& s) { s.rank_processors = 64; }), "");
  EXPECT_EQ(why([](Site& s) { s.machine = "n"; }), "of m, not of n");
  EXPECT_EQ(why([](Site& s) { s.mpi = "j"; }), "of i, not of j");
  EXPECT_EQ(why([](Site& s) { s.ranks = 7; }), "of 16 ranks on 2 nodes, not of 7 ranks on 2 nodes");
  EXPECT_NE(why([](Site& s) { s.ranks = 33; }), "");
  EXPECT_NE(why([](Site& s) { s.largest_node = 17; }), "");
  EXPECT_NE(why([](Site& s) { s.nodes = 1; }), "");
  EXPECT_NE(why_foreign({"m", "i", 2, 2, 1, 1}, {"m", "i", 2, 2, 2, 1}), "");
}

/// Rank 0 tells the others of it as of one from a file.
TEST(Profile, TypicalOneOfAnyMachineIsRead) {
  for (const Rank ranks : {1, 1 << 10, 1 << 20, 1 << 30}) {
    const json typical = to_json(
        typical_profile({"", "", ranks, std::max(1, ranks / 128), std::min(128, ranks), 1}));
    EXPECT_EQ(to_json(profile_in(typical.dump())), typical) << ranks;
  }
}

TEST(ProfileFiles, TheOneThatIsNamedIsTaken) {
  const Variable nowhere("SHUNT_DIRECTORY", "/nowhere");
  const Site site = some_profile().site;
  const TemporaryFile good(".json", to_json(some_profile()).dump());
  const TemporaryFile bad(".json", "{");
  {
    const Variable named("SHUNT_PROFILE", good.path().c_str());
    const FoundProfile found = find_profile(site);
    EXPECT_EQ(found.path, good.path());
    EXPECT_EQ(to_json(found.profile), to_json(some_profile()));
    EXPECT_TRUE(found.refused.empty());
    Site other = site;
    other.machine = "another";
    const FoundProfile foreign = find_profile(other);
    EXPECT_EQ(foreign.path, "");
    EXPECT_EQ(to_json(foreign.profile), to_json(typical_profile(other)));
    ASSERT_EQ(foreign.refused.size(), 1U);
    EXPECT_EQ(foreign.refused.front(),
              good.path() + ": the profile is not used, for it is of a processor, not of another");
  }
  for (const std::string& path : {bad.path(), std::string("/nowhere/at.all")}) {
    const Variable named("SHUNT_PROFILE", path.c_str());
    const FoundProfile found = find_profile(site);
    EXPECT_EQ(found.path, "");
    EXPECT_EQ(to_json(found.profile), to_json(typical_profile(site)));
    ASSERT_EQ(found.refused.size(), 1U);
    EXPECT_EQ(found.refused.front().find(path + ": "), 0U) << found.refused.front();
  }
  const Variable none("SHUNT_PROFILE", "");
  const FoundProfile found = find_profile(site);
  EXPECT_EQ(found.path, "");
  EXPECT_TRUE(found.refused.empty());
}

TEST(ProfileFiles, LieSideBySideAndTheNearestIsFound) {
  const TemporaryFolder folder;
  const Variable directory("SHUNT_DIRECTORY", folder.path().c_str());
  const Variable none("SHUNT_PROFILE", nullptr);
  const auto keep = [](const Site& site, const std::string& date) {
    Profile profile = some_profile();
    profile.site = site;
    profile.date = date;
    replace_file(profile_path(site).value(), to_json(profile).dump());
  };
  const auto date_for = [](const Site& site) { return find_profile(site).profile.date; };
  EXPECT_EQ(date_for({"m", "i", 8, 1, 8, 2}), "");
  keep({"m", "i", 8, 1, 8, 2}, "eight");
  keep({"m", "i", 20, 1, 20, 2}, "twenty");
  keep({"m", "i", 8, 2, 4, 2}, "two nodes");
  keep({"m", "other MPI", 8, 1, 8, 2}, "other MPI");
  keep({"other machine", "i", 8, 1, 8, 2}, "other machine");
  EXPECT_EQ(date_for({"m", "i", 8, 1, 8, 2}), "eight");
  EXPECT_EQ(date_for({"m", "i", 10, 1, 10, 2}), "eight");
  EXPECT_EQ(date_for({"m", "i", 15, 1, 15, 2}), "twenty");
  EXPECT_EQ(date_for({"m", "i", 40, 1, 40, 2}), "twenty");
  EXPECT_EQ(date_for({"m", "i", 41, 1, 41, 2}), "");
  EXPECT_EQ(date_for({"m", "i", 7, 2, 4, 2}), "two nodes");
  EXPECT_EQ(date_for({"m", "other MPI", 8, 1, 8, 2}), "other MPI");
  EXPECT_EQ(date_for({"other machine", "i", 9, 1, 9, 2}), "other machine");
  keep({"m", "i", 8, 1, 8, 2}, "again");
  EXPECT_EQ(date_for({"m", "i", 8, 1, 8, 2}), "again");
  // A broken one is reported, and those beside it are found.
  const std::filesystem::path broken = profile_path({"m", "i", 8, 1, 8, 2}).value();
  std::ofstream(broken) << "{}";
  const FoundProfile found = find_profile({"m", "i", 12, 1, 12, 2});
  EXPECT_EQ(found.profile.date, "twenty");
  ASSERT_EQ(found.refused.size(), 1U);
  EXPECT_EQ(found.refused.front(), broken.string() + ": \"format\" is missing");
}

}  // namespace
}  // namespace shunt
