#include "tools/common/leftovers.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shunt/error.hpp"
#include "tools/common/process.hpp"

namespace shunt {

namespace {

using namespace std::chrono_literals;

constexpr int kEnding[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

struct Child {
  pid_t process;
  bool alone;
};

/// All that there is now. Who has the lock may add to it, remove from it, and end what is in it.
struct Leftovers {
  std::mutex lock;
  std::vector<std::filesystem::path> folders;
  std::vector<Child> children;
  bool watched = false;
  sigset_t before{};  ///< the signals that were blocked before
};

Leftovers& leftovers() {
  static Leftovers all;
  return all;
}

bool has_ended(pid_t process) {
  siginfo_t info{};
  const int found = waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT);
  return found != 0 || info.si_pid == process;
}

/// Whether it comes true before so long.
template <class Condition>
bool within(std::chrono::milliseconds patience, Condition condition) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(2ms);
  }
  return true;
}

/// By `signal`, where it has not been told by the terminal, as we were. A launcher needs its time
/// to end its ranks.
void end_child(const Child& child, int signal, bool is_told) {
  if (child.alone) {
    kill(-child.process, SIGKILL);
  } else {
    if (!is_told) kill(child.process, signal);
    if (!within(10s, [&] { return has_ended(child.process); })) kill(child.process, SIGKILL);
  }
  waitpid(child.process, nullptr, 0);
  // What it started is nobody's child here, and may take a moment to end.
  if (child.alone) within(1s, [&] { return kill(-child.process, 0) != 0; });
}

void remove_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  // Another thread may be about to write there.
  for (int attempt = 0; attempt < 3; ++attempt) {
    std::filesystem::remove_all(folder, failed);
    if (!failed) return;
  }
}

/// Waits for one of the signals, cleans up, and ends the process as the signal would have.
void watch(sigset_t signals) {
  siginfo_t info{};
  int signal = 0;
  while (signal <= 0) signal = sigwaitinfo(&signals, &info);
  Leftovers& all = leftovers();
  const std::scoped_lock keep(all.lock);
  const bool from_terminal = info.si_code == SI_KERNEL;
  for (const Child& child : all.children) end_child(child, signal, from_terminal);
  for (const auto& folder : all.folders) remove_folder(folder);
  std::signal(signal, SIG_DFL);
  sigemptyset(&signals);
  sigaddset(&signals, signal);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  raise(signal);
}

bool is_ignored(int signal) {
  struct sigaction action {};
  sigaction(signal, nullptr, &action);
  return action.sa_handler == SIG_IGN;
}

/// From the first leftover on. Signals that were ignored, as by nohup, still are. SIGPIPE is held
/// back: what cannot be printed is an error first, after which nothing is left.
void watch_signals(Leftovers& all) {
  if (std::exchange(all.watched, true)) return;
  sigset_t ending;
  sigemptyset(&ending);
  for (const int signal : kEnding) {
    if (!is_ignored(signal)) sigaddset(&ending, signal);
  }
  sigset_t blocked = ending;
  sigaddset(&blocked, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &blocked, &all.before);
  std::thread(watch, ending).detach();
}

pid_t spawn(std::vector<std::string>& command, int output, bool alone, const sigset_t& signals) {
  posix_spawnattr_t how;
  posix_spawnattr_init(&how);
  posix_spawnattr_setsigmask(&how, &signals);
  posix_spawnattr_setflags(
      &how, static_cast<short>(POSIX_SPAWN_SETSIGMASK | (alone ? POSIX_SPAWN_SETPGROUP : 0)));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (alone) posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  pid_t process = 0;
  const int failure = posix_spawnp(&process, command[0].c_str(), &actions, &how,
                                   pointers_to(command).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&how);
  if (failure != 0) throw cannot_start(command[0], failure);
  return process;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  Leftovers& all = leftovers();
  const std::scoped_lock keep(all.lock);
  watch_signals(all);
  std::string name = std::filesystem::temp_directory_path() / "shunt-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    throw Error(ErrorKind::file, fmt::format("cannot make the folder {}", name));
  }
  path_ = name;
  all.folders.push_back(path_);
}

TemporaryFolder::~TemporaryFolder() {
  Leftovers& all = leftovers();
  const std::scoped_lock keep(all.lock);
  remove_folder(path_);
  std::erase(all.folders, path_);
}

ChildProcess::ChildProcess(std::vector<std::string> command, int output, Place place) {
  Leftovers& all = leftovers();
  const std::scoped_lock keep(all.lock);
  watch_signals(all);
  const bool alone = place == Place::alone;
  process_ = spawn(command, output, alone, all.before);
  all.children.push_back({process_, alone});
}

ChildProcess::~ChildProcess() {
  if (process_ == 0) return;
  Leftovers& all = leftovers();
  const std::scoped_lock keep(all.lock);
  const auto self = std::ranges::find(all.children, process_, &Child::process);
  end_child(*self, SIGTERM, /*is_told=*/false);
  all.children.erase(self);
}

int ChildProcess::wait() {
  siginfo_t ignored{};
  // Only who has the lock takes its number back, which another process may have then.
  while (waitid(P_PID, static_cast<id_t>(process_), &ignored, WEXITED | WNOWAIT) != 0) {
  }
  Leftovers& all = leftovers();
  const std::scoped_lock keep(all.lock);
  int status = 0;
  waitpid(process_, &status, 0);
  std::erase_if(all.children, [&](const Child& child) { return child.process == process_; });
  process_ = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void release_signals() {
  Leftovers& all = leftovers();
  const std::scoped_lock keep(all.lock);
  if (std::exchange(all.watched, false)) pthread_sigmask(SIG_SETMASK, &all.before, nullptr);
}

}  // namespace shunt
