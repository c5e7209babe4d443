#include "interpose/strangers.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

namespace shunt::interpose {

namespace {

std::atomic<bool> has_merged{false};

}  // namespace

void note_merge() noexcept { has_merged.store(true, std::memory_order_relaxed); }

bool has_strangers(MPI_Comm comm) {
  if (!has_merged.load(std::memory_order_relaxed)) return false;
  MPI_Group members = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  int size = 0;
  PMPI_Comm_group(comm, &members);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_size(members, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::vector<int> in_world(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  PMPI_Group_translate_ranks(members, size, ranks.data(), world, in_world.data());
  PMPI_Group_free(&members);
  PMPI_Group_free(&world);
  return std::ranges::count(in_world, MPI_UNDEFINED) > 0;
}

}  // namespace shunt::interpose
