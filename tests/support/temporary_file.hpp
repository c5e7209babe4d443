// A file that lives as long as the object.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <unistd.h>

namespace shunt::test {

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& suffix, std::string_view content = {}) {
    static int number = 0;
    path_ = testing::TempDir() + "shunt-" + std::to_string(getpid()) + "-" +
            std::to_string(number++) + suffix;
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace shunt::test
