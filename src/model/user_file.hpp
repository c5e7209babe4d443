// Files that Shunt keeps for its user from one program to the next.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace shunt {

/// Returns the folder of these files: SHUNT_DIRECTORY, or `shunt` in XDG_CONFIG_HOME, or in .config
/// of HOME; nothing where none of these is set. The folder need not exist.
[[nodiscard]] std::optional<std::filesystem::path> user_directory();

/// Replaces the file by `text`, and makes its folders. A reader finds the old text or the new one,
/// never a part. Throws Error(file) where that cannot be done, and then leaves the old file.
void replace_file(const std::filesystem::path& path, std::string_view text);

/// Holds the lock of the file `path` during its lifetime, against all processes on all nodes that
/// see the file system's locks. The lock is another file in the same folder, which is never
/// removed: otherwise two processes could lock different files.
class FileLock {
 public:
  /// How long to wait for the lock: far longer than many programs take that end at the same time;
  /// but a program that is stopped keeps its lock.
  static constexpr std::chrono::seconds kPatience{10};

  /// Waits for the lock, and makes its folders. Throws Error(file) where there can be no lock, and
  /// where another process still has it after `patience`.
  explicit FileLock(const std::filesystem::path& path,
                    std::chrono::milliseconds patience = kPatience);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int file_;
};

}  // namespace shunt
