// What a program sees of the cluster: how many ranks share memory on each host, hosts by the lowest
// of their ranks; what the hosts are called; and how long 1 MiB takes from the first rank to the
// last, at best.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <mpi.h>

namespace {

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  return size;
}

void print_hosts() {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm first_ranks = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  const bool first = rank_in(node) == 0;
  MPI_Comm_split(MPI_COMM_WORLD, first ? 0 : MPI_UNDEFINED, 0, &first_ranks);
  if (first) {
    const auto hosts = static_cast<std::size_t>(size_of(first_ranks));
    const int size = size_of(node);
    std::vector<int> sizes(hosts);
    MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, first_ranks);
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int length = 0;
    MPI_Get_processor_name(name, &length);
    std::vector<char> names(hosts * sizeof name);
    MPI_Gather(name, sizeof name, MPI_CHAR, names.data(), sizeof name, MPI_CHAR, 0, first_ranks);
    if (rank_in(MPI_COMM_WORLD) == 0) {
      for (std::size_t host = 0; host < hosts; ++host) {
        std::printf("%s: %d ranks\n", names.data() + host * sizeof name, sizes[host]);
      }
    }
    MPI_Comm_free(&first_ranks);
  }
  MPI_Comm_free(&node);
}

/// Milliseconds until the last rank's answer to 1 MiB is here.
double time_message() {
  std::vector<char> message(1 << 20);
  const int last = size_of(MPI_COMM_WORLD) - 1;
  const double begin = MPI_Wtime();
  if (rank_in(MPI_COMM_WORLD) == 0) {
    MPI_Send(message.data(), static_cast<int>(message.size()), MPI_CHAR, last, 0, MPI_COMM_WORLD);
    MPI_Recv(nullptr, 0, MPI_CHAR, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank_in(MPI_COMM_WORLD) == last) {
    MPI_Recv(message.data(), static_cast<int>(message.size()), MPI_CHAR, 0, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Send(nullptr, 0, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  }
  return 1e3 * (MPI_Wtime() - begin);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  print_hosts();
  double best = time_message();
  for (int round = 0; round < 3; ++round) best = std::min(best, time_message());
  if (rank_in(MPI_COMM_WORLD) == 0) std::printf("1 MiB: %.0f ms\n", best);
  MPI_Finalize();
  return 0;
}
