#include "model/wisdom_file.hpp"

#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/user_file.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"
#include "support/variable.hpp"

namespace shunt {
namespace {

namespace fs = std::filesystem;
using test::expect_error;
using test::TemporaryFolder;
using test::Variable;

WisdomKey key_of(const std::string& traffic) {
  return {"host", "MPI", "4 ranks", "alltoallv plan", "dual", traffic};
}

Wisdom wisdom_of(const std::string& traffic, const std::string& algorithm,
                 std::int64_t found = 1000, Effort effort = Effort::measure) {
  Wisdom wisdom;
  wisdom.learn(key_of(traffic), {algorithm, 2.5e-5, effort, found, {{"linear", 3e-5}}});
  return wisdom;
}

std::string known_in(const fs::path& path, const std::string& traffic) {
  const Wisdom wisdom = read_wisdom(path);
  const WisdomEntry* const found = wisdom.find(key_of(traffic), Effort::estimate);
  return found == nullptr ? "nothing" : found->algorithm;
}

std::string content(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void put(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

constexpr const char* kEntry =
    R"({"machine":"m","mpi":"i","ranks":"r","kind":"k","options":"o","traffic":"t",)"
    R"("algorithm":"linear","seconds":1,"effort":"measure","found":1,"trials":[]})";

std::string file_of(const std::string& entries) {
  return R"({"format":"shunt-wisdom","version":1,"entries":[)" + entries + "]}";
}

TEST(WisdomFile, LiesWhereTheVariableSaysOrInTheUsersFolder) {
  const Variable folder("SHUNT_DIRECTORY", "/s");
  const Variable unset("SHUNT_WISDOM", nullptr);
  EXPECT_EQ(wisdom_file(), fs::path("/s/wisdom.json"));
  const Variable own("SHUNT_WISDOM", "/w/file");
  EXPECT_EQ(wisdom_file(), fs::path("/w/file"));
  const Variable none("SHUNT_WISDOM", "none");
  EXPECT_EQ(wisdom_file(), std::nullopt);
  const Variable empty("SHUNT_WISDOM", "");
  EXPECT_EQ(wisdom_file(), fs::path("/s/wisdom.json"));
}

TEST(WisdomFile, BringsBackWhatWasSaved) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "below" / "wisdom.json";
  EXPECT_TRUE(read_wisdom(path).entries().empty());
  EXPECT_EQ(save_wisdom(path, wisdom_of("1 KiB", "four-stage \"\\\n\xff", 1234, Effort::patient)),
            "");
  const Wisdom wisdom = read_wisdom(path);
  ASSERT_EQ(wisdom.entries().size(), 1U);
  const auto& [key, entry] = *wisdom.entries().begin();
  EXPECT_EQ(key, key_of("1 KiB"));
  EXPECT_EQ(entry.algorithm, "four-stage \"\\??");
  EXPECT_EQ(entry.seconds, 2.5e-5);
  EXPECT_EQ(entry.effort, Effort::patient);
  EXPECT_EQ(entry.found, 1234);
  ASSERT_EQ(entry.trials.size(), 1U);
  EXPECT_EQ(entry.trials.front().algorithm, "linear");
  EXPECT_EQ(entry.trials.front().seconds, 3e-5);
}

TEST(WisdomFile, KeepsTheBetterOfTwo) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "wisdom.json";
  save_wisdom(path, wisdom_of("1 KiB", "first"));
  save_wisdom(path, wisdom_of("2 KiB", "other"));
  save_wisdom(path, wisdom_of("1 KiB", "older", 10));
  EXPECT_EQ(known_in(path, "1 KiB"), "first");
  save_wisdom(path, wisdom_of("1 KiB", "newer", 5000));
  EXPECT_EQ(known_in(path, "1 KiB"), "newer");
  save_wisdom(path, wisdom_of("1 KiB", "patient", 10, Effort::patient));
  EXPECT_EQ(known_in(path, "1 KiB"), "patient");
  EXPECT_EQ(known_in(path, "2 KiB"), "other");
}

TEST(WisdomFile, IsLeftAloneByWhoHasNothingNew) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "wisdom.json";
  EXPECT_EQ(save_wisdom(path, {}), "");
  EXPECT_FALSE(fs::exists(path));
  save_wisdom(path, wisdom_of("1 KiB", "first"));
  // Found at the same time by another program.
  save_wisdom(path, wisdom_of("1 KiB", "second", 1001));
  EXPECT_EQ(known_in(path, "1 KiB"), "first");
  // By who knew the first one.
  save_wisdom(path, wisdom_of("1 KiB", "second", 1001), true);
  EXPECT_EQ(known_in(path, "1 KiB"), "second");
}

/// Of many that end at the same time the first one writes, while the others wait for the lock.
TEST(WisdomFile, IsLeftAloneByWhoWaitedForWhatItKnows) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "wisdom.json";
  std::thread other;
  {
    const FileLock lock(path);
    other = std::thread([&] { save_wisdom(path, wisdom_of("1 KiB", "second", 1001)); });
    // Until it waits; on a slow machine this test may show nothing, but nothing wrong.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    put(path, file_of(row_json(key_of("1 KiB"), {"first", 1, Effort::measure, 1000, {}}).dump()));
  }
  other.join();
  EXPECT_EQ(known_in(path, "1 KiB"), "first");
}

TEST(WisdomFile, LosesNothingWhereManySaveAtOnce) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "wisdom.json";
  constexpr int kPrograms = 8;
  constexpr int kTurns = 5;
  std::vector<pid_t> programs;
  for (int program = 0; program < kPrograms; ++program) {
    programs.push_back(fork());
    if (programs.back() != 0) continue;
    for (int turn = 0; turn < kTurns; ++turn) {
      save_wisdom(path, wisdom_of(fmt::format("{}.{}", program, turn), "linear"));
    }
    _exit(0);
  }
  for (const pid_t program : programs) {
    int status = 1;
    waitpid(program, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(read_wisdom(path).entries().size(), std::size_t{kPrograms} * kTurns);
}

TEST(WisdomFile, HasABoundedNumberOfEntriesTheNewest) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "wisdom.json";
  Wisdom much;
  const auto most = static_cast<std::int64_t>(kMostWisdom);
  for (std::int64_t k = 0; k < most + 10; ++k) {
    much.learn(key_of(std::to_string(k)), {"linear", 1, Effort::measure, 1000 + k, {}});
  }
  save_wisdom(path, much);
  EXPECT_EQ(read_wisdom(path).entries().size(), kMostWisdom);
  EXPECT_EQ(known_in(path, "9"), "nothing");
  EXPECT_EQ(known_in(path, "10"), "linear");
  save_wisdom(path, wisdom_of("new", "four-stage", 999999));
  EXPECT_EQ(read_wisdom(path).entries().size(), kMostWisdom);
  EXPECT_EQ(known_in(path, "10"), "nothing");
  EXPECT_EQ(known_in(path, "new"), "four-stage");
}

TEST(WisdomFile, HasABoundedLength) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "wisdom.json";
  Wisdom much;
  for (int k = 0; k < 2500; ++k) {
    WisdomEntry entry{"linear", 1, Effort::measure, 1000 + k, {}};
    // Each of these takes two bytes in the file.
    entry.trials.assign(Wisdom::kMostTrials, {std::string(Wisdom::kLongestText, '"'), 1});
    much.learn(key_of(std::to_string(k)), entry);
  }
  save_wisdom(path, much);
  const auto bytes = fs::file_size(path);
  EXPECT_LE(bytes, std::uintmax_t{16} << 20);
  EXPECT_GE(bytes, std::uintmax_t{8} << 20);
}

TEST(WisdomFile, IsReadWithSuspicion) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "wisdom.json";
  const auto refuse = [&](const std::string& text, const std::string& words) {
    put(path, text);
    expect_error(ErrorKind::file, words, [&] { (void)read_wisdom(path); });
  };
  put(path, file_of(kEntry));
  EXPECT_EQ(read_wisdom(path).entries().size(), 1U);
  refuse("", "wisdom.json: a wisdom file must be a JSON object");
  refuse("[]", "a wisdom file must be a JSON object");
  refuse(file_of(kEntry).substr(0, 100), "a wisdom file must be a JSON object");
  refuse(R"({"format":"shunt-trace","version":1})", "\"format\" must be \"shunt-wisdom\"");
  refuse(R"({"format":"shunt-wisdom","version":2})", "\"version\" must be 1");
  refuse(R"({"format":"shunt-wisdom","version":1})", "\"entries\" is missing");
  refuse(file_of("7"), "\"entries\" must be made of objects");
  const auto spoil = [&](const std::string& part, const std::string& by, const std::string& words) {
    std::string entry = kEntry;
    ASSERT_NE(entry.find(part), std::string::npos);
    refuse(file_of(entry.replace(entry.find(part), part.size(), by)), words);
  };
  spoil("\"mpi\"", "\"mpj\"", "\"mpi\" is missing");
  spoil("\"linear\"", "1", "\"algorithm\" must be text");
  spoil("linear", std::string(257, 'a'), "\"algorithm\" must have at most 256 characters");
  spoil("linear", "\\u001b[2J", "all of printable ASCII");
  spoil("\"seconds\":1", "\"seconds\":-1", "\"seconds\" must be a number of seconds");
  spoil("\"measure\"", "\"much\"", "\"effort\" must be \"estimate\"");
  spoil("\"found\":1", "\"found\":1e300", "\"found\" must be a whole number");
  spoil("\"found\":1", "\"found\":253402300800", "\"found\" must be a whole number");
  spoil("[]", "{}", "\"trials\" must be a list of objects");
  spoil("[]", "[1]", "\"trials\" must be made of objects");
  std::string trials;
  for (int k = 0; k < 17; ++k) trials += R"(,{"algorithm":"linear","seconds":1})";
  spoil("[]", "[" + trials.substr(1) + "]", "\"trials\" must be a list of at most 16");
  std::string entries;
  for (std::size_t k = 0; k <= kMostWisdom; ++k) entries += ",7";
  refuse(file_of(entries.substr(1)), "\"entries\" must be a list of at most 4096");
  put(path, "");
  fs::resize_file(path, (std::uintmax_t{16} << 20) + 1);
  expect_error(ErrorKind::file, "a wisdom file has at most 16777216 bytes",
               [&] { (void)read_wisdom(path); });
  fs::remove(path);
  fs::create_directory(path);
  expect_error(ErrorKind::file, "there is no such regular file", [&] { (void)read_wisdom(path); });
}

TEST(WisdomFile, IsPutAsideWhereItIsDamaged) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "wisdom.json";
  const fs::path aside = folder.path() / "wisdom.json.bad";
  save_wisdom(path, wisdom_of("1 KiB", "first"));
  const std::string damaged = content(path).substr(0, 100);
  for (const std::string& text : {damaged, std::string()}) {
    put(path, text);
    const std::string note = save_wisdom(path, wisdom_of("2 KiB", "four-stage"));
    EXPECT_NE(note.find("must be a JSON object; it is kept as " + aside.string()),
              std::string::npos)
        << note;
    EXPECT_EQ(content(aside), text);
    EXPECT_EQ(known_in(path, "2 KiB"), "four-stage");
  }
}

TEST(WisdomFile, IsNotWrittenOverSomethingElse) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "wisdom.json";
  for (const std::string& text :
       {std::string("a letter"), std::string(1000, 'x'), file_of(kEntry).insert(1, " "),
        std::string(R"({"format":"shunt-wisdom","version":2,"entries":[]})")}) {
    put(path, text);
    const bool is_readable = text.find("\"version\":1") != std::string::npos;
    if (!is_readable) {
      expect_error(ErrorKind::file,
                   "wisdom.json: ", [&] { save_wisdom(path, wisdom_of("2 KiB", "four-stage")); });
      expect_error(ErrorKind::file, "wisdom.json: ", [&] { forget_wisdom(path); });
      EXPECT_EQ(content(path), text);
      EXPECT_FALSE(fs::exists(path.string() + ".bad"));
    } else {
      EXPECT_EQ(save_wisdom(path, wisdom_of("2 KiB", "four-stage")), "");
      EXPECT_EQ(read_wisdom(path).entries().size(), 2U);
    }
  }
}

TEST(WisdomFile, SaysWhyItCannotBeWritten) {
  const TemporaryFolder folder;
  put(folder.path() / "file", "text");
  expect_error(ErrorKind::file, "cannot make the folder: ", [&] {
    save_wisdom(folder.path() / "file" / "wisdom.json", wisdom_of("1 KiB", "linear"));
  });
  // Root may write everywhere.
  if (geteuid() == 0) return;
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  expect_error(ErrorKind::file, "cannot lock: ", [&] {
    save_wisdom(folder.path() / "wisdom.json", wisdom_of("1 KiB", "linear"));
  });
  fs::permissions(folder.path(), fs::perms::owner_all);
}

TEST(WisdomFile, IsForgotten) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "wisdom.json";
  EXPECT_EQ(forget_wisdom(path), 0U);
  save_wisdom(path, wisdom_of("1 KiB", "linear"));
  save_wisdom(path, wisdom_of("2 KiB", "linear"));
  EXPECT_EQ(forget_wisdom(path), 2U);
  EXPECT_FALSE(fs::exists(path));
  put(path, "");
  EXPECT_EQ(forget_wisdom(path), 0U);
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace shunt
