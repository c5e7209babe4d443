// Wisdom of a test's own, in a file that rank 0 alone has.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/wisdom_file.hpp"
#include "mpi/block_case.hpp"
#include "support/temporary_folder.hpp"
#include "support/variable.hpp"

namespace shunt::test {

/// A file of wisdom that rank 0 alone has; the others have none.
class OwnWisdom {
 public:
  OwnWisdom()
      : path_(folder_.path() / "wisdom.json"),
        variable_("SHUNT_WISDOM", world_rank() == 0 ? path_.c_str() : "none") {}
  /// What is learned last is saved as long as the folder is there: it would be made anew.
  ~OwnWisdom() { save(); }
  OwnWisdom(const OwnWisdom&) = delete;
  OwnWisdom& operator=(const OwnWisdom&) = delete;

  /// What rank 0 has learned, from the file; nothing on other ranks.
  Wisdom saved() {
    save();
    return world_rank() == 0 ? read_wisdom(path_) : Wisdom();
  }

  /// Rank 0 finds this in its file.
  void put(const std::string& text) {
    save();
    if (world_rank() == 0) std::ofstream(path_) << text;
  }
  void put(const Wisdom& wisdom) {
    put("");
    if (world_rank() == 0) std::filesystem::remove(path_);
    save_wisdom(path_, wisdom);
  }

 private:
  /// What is kept for one file is saved when another is named, or none.
  static void save() {
    const Variable elsewhere("SHUNT_WISDOM", "none");
    Communicator communicator(MPI_COMM_WORLD);
    const std::vector<Bytes> nothing(static_cast<std::size_t>(world_size()));
    const Layout layout = Layout::packed(nothing);
    (void)communicator.plan_alltoallv(std::span<const int>(), layout, std::span<int>(), layout,
                                      {.effort = Effort::estimate});
  }

  TemporaryFolder folder_;
  std::filesystem::path path_;
  Variable variable_;
};

/// What many ranks do alike takes long where they share few processors.
class PlansWithWisdom : public testing::Test {
 protected:
  void SetUp() override {
    if (world_size() > 3 && world_size() != 5) GTEST_SKIP() << "runs on 1, 2, 3 and 5 ranks";
  }
};

}  // namespace shunt::test
