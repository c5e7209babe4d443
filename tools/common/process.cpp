#include "tools/common/process.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/common/leftovers.hpp"
#include "tools/common/output_file.hpp"

namespace shunt {

namespace {

struct Pipe {
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) {
      throw Error(ErrorKind::file, fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    }
  }
  ~Pipe() {
    close(ends[0]);
    close_in();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] int in() const { return ends[1]; }
  void close_in() {
    if (ends[1] >= 0) close(std::exchange(ends[1], -1));
  }

  /// Hands all that comes to `take`, until nobody can write any more.
  template <class Take>
  void drain(Take take) {
    close_in();
    char part[4096];
    for (ssize_t length = 0; (length = read(ends[0], part, sizeof part)) > 0;) {
      take(std::string_view(part, static_cast<std::size_t>(length)));
    }
  }

  int ends[2];
};

}  // namespace

std::vector<char*> pointers_to(std::vector<std::string>& command) {
  std::vector<char*> pointers;
  for (std::string& word : command) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

Error cannot_start(const std::string& program, int reason) {
  return {ErrorKind::argument, fmt::format("cannot start {}: {}", program, std::strerror(reason))};
}

std::filesystem::path own_executable() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none);
}

void become(std::vector<std::string> command) {
  execvp(command[0].c_str(), pointers_to(command).data());
  throw cannot_start(command[0], errno);
}

std::string output_of(std::vector<std::string> command) {
  Pipe pipe;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe.in(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failure = posix_spawnp(&child, command[0].c_str(), &actions, nullptr,
                                   pointers_to(command).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) throw cannot_start(command[0], failure);
  std::string output;
  pipe.drain([&](std::string_view part) { output.append(part); });
  waitpid(child, nullptr, 0);
  return output;
}

Finished run_captured(std::vector<std::string> command) {
  Pipe pipe;
  ChildProcess child(std::move(command), pipe.in(), ChildProcess::Place::with_us);
  std::string output;
  pipe.drain([&](std::string_view part) { output.append(part); });
  return {child.wait(), std::move(output)};
}

void run_aside(std::vector<std::string> command) {
  ChildProcess child(std::move(command), STDERR_FILENO, ChildProcess::Place::alone);
  (void)child.wait();
}

int run_through(std::vector<std::string> command) {
  Pipe pipe;
  ChildProcess child(std::move(command), pipe.in(), ChildProcess::Place::with_us);
  pipe.drain([&](std::string_view part) {
    write_output("", part);
    flush_output();
  });
  return child.wait();
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
