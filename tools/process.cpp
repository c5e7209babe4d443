#include "process.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shunt/error.hpp"

namespace shunt {

namespace {

/// As `exec` and its kin want it; points into `command`.
std::vector<char*> pointers_to(std::vector<std::string>& command) {
  std::vector<char*> pointers;
  for (std::string& word : command) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

Error cannot_start(const std::string& program, int reason) {
  return {ErrorKind::argument, fmt::format("cannot start {}: {}", program, std::strerror(reason))};
}

/// Without `shows_errors` what it writes to its standard error is lost.
Finished capture(std::vector<std::string> command, bool shows_errors) {
  int ends[2];
  if (pipe(ends) != 0) throw cannot_start(command[0], errno);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  if (!shows_errors) {
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  pid_t child = 0;
  const int failure = posix_spawnp(&child, command[0].c_str(), &actions, nullptr,
                                   pointers_to(command).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string output;
  char part[4096];
  for (ssize_t length = 0; failure == 0 && (length = read(ends[0], part, sizeof part)) > 0;) {
    output.append(part, static_cast<std::size_t>(length));
  }
  close(ends[0]);
  if (failure != 0) throw cannot_start(command[0], failure);
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), std::move(output)};
}

}  // namespace

std::filesystem::path own_executable() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none);
}

void become(std::vector<std::string> command) {
  execvp(command[0].c_str(), pointers_to(command).data());
  throw cannot_start(command[0], errno);
}

std::string output_of(std::vector<std::string> command) {
  return capture(std::move(command), /*shows_errors=*/false).output;
}

Finished run_captured(std::vector<std::string> command) {
  return capture(std::move(command), /*shows_errors=*/true);
}

void run_aside(std::vector<std::string> command) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t child = 0;
  const int failure = posix_spawnp(&child, command[0].c_str(), &actions, nullptr,
                                   pointers_to(command).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) throw cannot_start(command[0], failure);
  waitpid(child, nullptr, 0);
}

std::filesystem::path find_program(const std::string& name) {
  auto is_program = [](const std::filesystem::path& file) {
    std::error_code none;
    return std::filesystem::is_regular_file(file, none) && access(file.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
  const char* folders = std::getenv("PATH");
  std::istringstream path(folders == nullptr ? "" : folders);
  for (std::string folder; std::getline(path, folder, ':');) {
    std::filesystem::path file = std::filesystem::path(folder) / name;
    if (is_program(file)) return file;
  }
  return "";
}

}  // namespace shunt
