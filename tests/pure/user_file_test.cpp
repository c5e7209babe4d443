#include "model/user_file.hpp"

#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"
#include "support/variable.hpp"

namespace shunt {
namespace {

namespace fs = std::filesystem;
using test::expect_error;
using test::TemporaryFolder;
using test::Variable;

std::string text_of(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(UserDirectory, IsTheOwnOneOrTheConfigurationsOrHome) {
  const Variable home("HOME", "/h");
  const Variable config("XDG_CONFIG_HOME", "/c");
  const Variable own("SHUNT_DIRECTORY", "/s");
  EXPECT_EQ(user_directory(), fs::path("/s"));
  const Variable no_own("SHUNT_DIRECTORY", "");
  EXPECT_EQ(user_directory(), fs::path("/c/shunt"));
  const Variable no_config("XDG_CONFIG_HOME", nullptr);
  EXPECT_EQ(user_directory(), fs::path("/h/.config/shunt"));
  const Variable no_home("HOME", nullptr);
  EXPECT_EQ(user_directory(), std::nullopt);
}

TEST(ReplaceFile, MakesFoldersAndLeavesNothingElse) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "a" / "b" / "file";
  replace_file(file, "one");
  EXPECT_EQ(text_of(file), "one");
  replace_file(file, std::string(1 << 20, 'x'));
  EXPECT_EQ(text_of(file), std::string(1 << 20, 'x'));
  EXPECT_EQ(files_in(file.parent_path()), 1U);
  struct stat status {};
  ASSERT_EQ(stat(file.c_str(), &status), 0);
  const mode_t mask = umask(0);
  umask(mask);
  EXPECT_EQ(status.st_mode & 0777U, 0666U & ~mask);
}

TEST(ReplaceFile, SaysWhyItCannot) {
  const TemporaryFolder folder;
  replace_file(folder.path() / "file", "text");
  expect_error(ErrorKind::file, "file: cannot make the folder: ", [&] {
    replace_file(folder.path() / "file" / "below", "text");
  });
  // A folder cannot be replaced by a file.
  fs::create_directory(folder.path() / "folder");
  expect_error(ErrorKind::file,
               "folder: cannot replace: ", [&] { replace_file(folder.path() / "folder", "text"); });
  EXPECT_EQ(files_in(folder.path()), 2U);
}

TEST(FileLock, LetsOneInAtATime) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "below" / "number";
  constexpr int kThreads = 8;
  constexpr int kTurns = 50;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int k = 0; k < kThreads; ++k) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < kTurns; ++turn) {
        const FileLock lock(file);
        const std::string number = fs::exists(file) ? text_of(file) : "0";
        replace_file(file, std::to_string(std::stoi(number) + 1));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(text_of(file), std::to_string(kThreads * kTurns));
  EXPECT_EQ(files_in(file.parent_path()), 2U);
}

TEST(FileLock, SaysWhyThereIsNone) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "file.lock");
  expect_error(ErrorKind::file,
               "file: cannot lock: ", [&] { const FileLock lock(folder.path() / "file"); });
}

TEST(FileLock, IsNotWaitedForWithoutEnd) {
  using std::chrono::milliseconds;
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "file";
  {
    const FileLock first(file);
    expect_error(ErrorKind::file, "file: cannot lock: others have kept it locked for 0.03 s",
                 [&] { const FileLock second(file, milliseconds(30)); });
  }
  const FileLock third(file, milliseconds(0));
}

}  // namespace
}  // namespace shunt
