// Files that Shunt keeps for its user from one program to the next.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace shunt {

/// Where they lie: SHUNT_DIRECTORY, or `shunt` in XDG_CONFIG_HOME, or in .config of HOME; nothing
/// where none of these is set. The folder need not exist.
[[nodiscard]] std::optional<std::filesystem::path> user_directory();

/// Puts `text` in the place of the file, whose folders it makes: whoever reads finds the old text
/// or the new one, never a part. Throws Error(file) where that cannot be done, and leaves the old
/// one then.
void replace_file(const std::filesystem::path& path, std::string_view text);

/// Keeps others who want it too from what belongs to `path`, in whatever process on whatever node
/// that sees the file system's locks, until it goes. The lock is a file beside it, which stays: if
/// it went, somebody could hold one that the next does not find.
class FileLock {
 public:
  /// Far more than many programs need that end at once; but one that is stopped keeps its lock.
  static constexpr std::chrono::seconds kPatience{10};

  /// Waits for the lock. Makes the folders. Throws Error(file) where there can be none, and where
  /// somebody else still has it after so long.
  explicit FileLock(const std::filesystem::path& path,
                    std::chrono::milliseconds patience = kPatience);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int file_;
};

}  // namespace shunt
