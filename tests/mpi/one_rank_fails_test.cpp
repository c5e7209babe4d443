// What goes wrong on one rank alone while something is set up for all: the others hear of it or do
// without it, and wait for nothing.
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mpi/block_case.hpp"
#include "mpi/nodes.hpp"
#include "mpi/own_communicator.hpp"
#include "shunt/shunt.h"
#include "support/expect_error.hpp"
#include "support/variable.hpp"

namespace shunt::test {
namespace {

void expect_exchange(MPI_Comm comm) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  std::vector<int> sent(static_cast<std::size_t>(ranks), rank);
  std::vector<int> received(sent.size(), -1);
  std::vector<int> expected(sent.size());
  for (int peer = 0; peer < ranks; ++peer) expected[static_cast<std::size_t>(peer)] = peer;
  EXPECT_EQ(SHUNT_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm),
            MPI_SUCCESS);
  EXPECT_EQ(received, expected);
}

/// `value` on the last rank, and on the others what SHUNT_NODES says there.
const char* on_last(const char* value) {
  return world_rank() == world_size() - 1 ? value : std::getenv("SHUNT_NODES");
}

TEST(OneRankFails, ToReadItsNodes) {
  const auto comm = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  {
    const Variable nodes("SHUNT_NODES", on_last("of none"));
    expect_error(ErrorKind::argument,
                 "SHUNT_NODES: ", [&] { Communicator communicator(comm.get()); });
  }
  expect_exchange(comm.get());
}

TEST(OneRankFails, ToHaveNodesAtAll) {
  const auto comm = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  const Variable nodes("SHUNT_NODES", on_last("blocked:1"));
  expect_exchange(comm.get());
  Communicator communicator(comm.get());
  // The machine, for which all have to have a label.
  const std::vector<int> counts(static_cast<std::size_t>(world_size()), 1);
  const Layout layout = Layout::packed(counts);
  std::vector<int> received(counts.size());
  communicator.alltoallv(std::span<const int>(counts), layout, std::span<int>(received), layout,
                         {.algorithm = "node-pairwise"});
  EXPECT_EQ(received, counts);
}

/// No file of this process is longer than 64 KiB, as long as this lives.
class ShortFiles {
 public:
  ShortFiles() {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{65536, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~ShortFiles() { setrlimit(RLIMIT_FSIZE, &before_); }
  ShortFiles(const ShortFiles&) = delete;
  ShortFiles& operator=(const ShortFiles&) = delete;

 private:
  rlimit before_{};
};

TEST(OneRankFails, ToMakeSharedMemory) {
  std::optional<ShortFiles> short_files;
  if (world_rank() == 0) short_files.emplace();
  const auto comm = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  expect_exchange(comm.get());
  constexpr std::size_t kInts = 1 << 18;
  int* memory = nullptr;
  ASSERT_EQ(SHUNT_Alloc_mem(kInts * sizeof(int), comm.get(), &memory), MPI_SUCCESS)
      << SHUNT_Last_error();
  std::fill_n(memory, kInts, world_rank());
  EXPECT_EQ(std::count(memory, memory + kInts, world_rank()), static_cast<std::ptrdiff_t>(kInts));
  EXPECT_EQ(SHUNT_Free_mem(memory), MPI_SUCCESS);
}

/// A child that ends by exit, and not by exec, runs what the program has for its end.
TEST(SharedMemoryOfChildren, StaysWithTheParent) {
  constexpr std::size_t kInts = 1 << 16;
  int* memory = nullptr;
  ASSERT_EQ(SHUNT_Alloc_mem(kInts * sizeof(int), MPI_COMM_WORLD, &memory), MPI_SUCCESS);
  std::fill_n(memory, kInts, 7);
  const pid_t child = fork();
  if (child == 0) {
    SHUNT_Free_mem(memory);
    _exit(0);
  }
  int status = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  EXPECT_EQ(status, 0);
  EXPECT_EQ(std::count(memory, memory + kInts, 7), static_cast<std::ptrdiff_t>(kInts));
  EXPECT_EQ(SHUNT_Free_mem(memory), MPI_SUCCESS);
}

}  // namespace
}  // namespace shunt::test
