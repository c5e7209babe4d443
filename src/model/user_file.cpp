#include "model/user_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <random>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "model/size_signal.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// Empty where the variable is not set.
std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

[[noreturn]] void fail_to(const char* action, const fs::path& path, const std::string& reason) {
  throw Error(ErrorKind::file, fmt::format("{}: cannot {}: {}", path.string(), action, reason));
}

std::string last_reason() { return std::error_code(errno, std::generic_category()).message(); }

void make_folder_of(const fs::path& path) {
  if (!path.has_parent_path()) return;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) fail_to("make the folder", path.parent_path(), error.message());
}

/// A new file beside the one that it is to become, which is gone with this unless it has.
class Draft {
 public:
  explicit Draft(const fs::path& path) : target_(path) {
    // Other hosts may write here too, so that no number of this process is unique.
    do {
      name_ = fmt::format("{}.{:08x}", path.string(), std::random_device()());
      file_ = open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (file_ < 0 && errno == EEXIST);
    if (file_ < 0) fail_to("write", target_, last_reason());
  }
  ~Draft() {
    close(file_);
    if (!kept_) unlink(name_.c_str());
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  void write(std::string_view text) const {
    const NoSizeSignal until_then;
    while (!text.empty()) {
      const ssize_t written = ::write(file_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail_to("write", target_, last_reason());
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    // Otherwise a machine that stops now may have the new name without the text.
    int code = 0;
    do code = fsync(file_);
    while (code != 0 && errno == EINTR);
    if (code != 0) fail_to("write", target_, last_reason());
  }

  void keep() {
    if (rename(name_.c_str(), target_.c_str()) != 0) fail_to("replace", target_, last_reason());
    kept_ = true;
  }

 private:
  const fs::path& target_;
  std::string name_;
  int file_ = -1;
  bool kept_ = false;
};

/// Empty, or why there is no lock. A wait that ends can only be had by asking again and again.
std::string wait_for_lock(int file, milliseconds patience) {
  constexpr milliseconds kLongestPause{20};
  const auto end = steady_clock::now() + patience;
  milliseconds pause{1};
  while (flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return last_reason();
    if (steady_clock::now() >= end) {
      const std::chrono::duration<double> waited = patience;
      return fmt::format("others have kept it locked for {} s", waited.count());
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kLongestPause);
  }
  return {};
}

}  // namespace

std::optional<fs::path> user_directory() {
  if (std::string own = variable("SHUNT_DIRECTORY"); !own.empty()) return own;
  if (const std::string config = variable("XDG_CONFIG_HOME"); !config.empty()) {
    return fs::path(config) / "shunt";
  }
  if (const std::string home = variable("HOME"); !home.empty()) {
    return fs::path(home) / ".config" / "shunt";
  }
  return std::nullopt;
}

void replace_file(const fs::path& path, std::string_view text) {
  make_folder_of(path);
  Draft draft(path);
  draft.write(text);
  draft.keep();
}

FileLock::FileLock(const fs::path& path, milliseconds patience) {
  make_folder_of(path);
  const std::string name = path.string() + ".lock";
  file_ = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) fail_to("lock", path, last_reason());
  const std::string reason = wait_for_lock(file_, patience);
  if (reason.empty()) return;
  close(file_);
  fail_to("lock", path, reason);
}

FileLock::~FileLock() { close(file_); }

}  // namespace shunt
