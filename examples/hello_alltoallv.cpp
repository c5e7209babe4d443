// In the place of MPI_Alltoallv: any MPI datatype, 64-bit counts, any algorithm.
#include <cstdio>
#include <numeric>
#include <vector>

#include <mpi.h>

#include "shunt/shunt.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int wrong = 0;
  {
    shunt::Communicator communicator(MPI_COMM_WORLD);
    const auto ranks = static_cast<std::size_t>(communicator.ranks());
    // Rank r sends k + 1 numbers to rank k, so it receives r + 1 from each.
    std::vector<int> to_each(ranks);
    std::iota(to_each.begin(), to_each.end(), 1);
    const std::vector<int> from_each(ranks, communicator.rank() + 1);
    const std::vector<int> send(ranks * (ranks + 1) / 2, communicator.rank());
    std::vector<int> receive(ranks * static_cast<std::size_t>(communicator.rank() + 1), -1);

    communicator.alltoallv(send.data(), shunt::Layout::packed(to_each), MPI_INT, receive.data(),
                           shunt::Layout::packed(from_each), MPI_INT);

    const std::size_t block = receive.size() / ranks;
    for (std::size_t i = 0; i < receive.size(); ++i) {
      wrong += receive[i] == static_cast<int>(i / block) ? 0 : 1;
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (communicator.rank() == 0)
      std::printf("%d ranks exchanged blocks, %d wrong\n", communicator.ranks(), wrong);
  }  // the communicator ends before MPI does
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
