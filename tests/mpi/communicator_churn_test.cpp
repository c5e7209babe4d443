// Communicators that come and go leave nothing behind.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "mpi/block_case.hpp"
#include "mpi/own_communicator.hpp"

namespace shunt::test {
namespace {

/// Files of shared memory that have a name, but for those of MPI libraries.
std::set<std::string> named_memory() {
  std::set<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator("/dev/shm")) {
    const std::string name = file.path().filename();
    const auto is_mpis = [&name](const char* part) { return name.find(part) != name.npos; };
    if (std::ranges::none_of(std::array{"vader", "sm_segment", "mpich", "ucx", "psm", "ompi"},
                             is_mpis)) {
      names.insert(name);
    }
  }
  return names;
}

std::ptrdiff_t open_files() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

std::ptrdiff_t mappings_of_ours() {
  std::ifstream maps("/proc/self/maps");
  std::ptrdiff_t mappings = 0;
  for (std::string line; std::getline(maps, line);) {
    if (line.find("memfd:shunt") != line.npos) ++mappings;
  }
  return mappings;
}

/// More than MPICH has numbers for at a time; what any of them left would be counted at the end.
TEST(CommunicatorChurn, LeavesNothing) {
  if (world_size() != 2) GTEST_SKIP() << "two ranks say it all";
  // Each takes some milliseconds. MPICH has numbers for 2048.
  constexpr int kCommunicators = 2100;
  const Layout layout = Layout::packed(std::vector<int>(2, 1));
  std::ptrdiff_t files = 0;
  std::ptrdiff_t mappings = 0;
  const std::set<std::string> named = named_memory();
  for (int i = 0; i < kCommunicators; ++i) {
    const auto comm = OwnCommunicator::duplicate(MPI_COMM_WORLD);
    Communicator communicator(comm.get());
    const std::vector<int> send{i + world_rank(), i + world_rank()};
    std::vector<int> received(2);
    communicator.alltoallv(std::span<const int>(send), layout, std::span<int>(received), layout);
    ASSERT_EQ(received, (std::vector<int>{i, i + 1}));
    // MPI opens what it keeps with the first.
    if (i == 0) files = open_files();
    if (i == 0) mappings = mappings_of_ours();
  }
  EXPECT_EQ(open_files(), files);
  EXPECT_EQ(mappings_of_ours() + 1, mappings);
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ(named_memory(), named);
}

}  // namespace
}  // namespace shunt::test
