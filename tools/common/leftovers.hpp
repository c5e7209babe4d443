// What this process must not leave behind: temporary folders, and processes that it started. Both
// go with the objects here, and also where SIGINT, SIGTERM, SIGHUP or SIGQUIT ends the process, or
// SIGPIPE does, for want of a reader.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace shunt {

/// A folder in the system's place for temporary files, removed with this object.
class TemporaryFolder {
 public:
  /// Throws Error(file) where none can be made.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A command that runs as a child of this process.
class ChildProcess {
 public:
  enum class Place {
    with_us,  ///< reads this process's standard input, and gets a terminal's signals
    alone     ///< reads nothing; all that it starts ends with it
  };

  /// Looks for the command along PATH; its standard output is the descriptor `output`. Throws
  /// Error(argument) if it cannot be started.
  ChildProcess(std::vector<std::string> command, int output, Place place);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Waits for its end. Returns the status of its exit, or 128 and the number of the signal that
  /// ended it.
  int wait();

 private:
  pid_t process_ = 0;
};

/// Takes signals as they were taken before the first of these objects: from now on they end the
/// process at once, one that came meanwhile too.
void release_signals();

}  // namespace shunt
