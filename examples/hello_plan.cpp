// The same blocks again and again: plan once, execute many times.
#include <algorithm>
#include <cstdio>
#include <vector>

#include <mpi.h>

#include "shunt/shunt.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int wrong = 0;
  {
    shunt::Communicator communicator(MPI_COMM_WORLD);
    // Rank r has r + 1 numbers for every rank.
    std::vector<int> to_each(static_cast<std::size_t>(communicator.ranks()),
                             communicator.rank() + 1);
    std::vector<int> from_each;
    for (int rank = 0; rank < communicator.ranks(); ++rank) from_each.push_back(rank + 1);
    std::vector<double> send(
        static_cast<std::size_t>(communicator.ranks() * (communicator.rank() + 1)));
    std::vector<double> receive(
        static_cast<std::size_t>(communicator.ranks() * (communicator.ranks() + 1) / 2));

    shunt::Plan plan =
        communicator.plan_alltoallv(std::span<const double>(send), shunt::Layout::packed(to_each),
                                    std::span<double>(receive), shunt::Layout::packed(from_each));
    for (int iteration = 0; iteration < 100; ++iteration) {
      std::ranges::fill(send, iteration);
      plan.execute();
      wrong += std::ranges::count(receive, iteration) == std::ssize(receive) ? 0 : 1;
    }

    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (communicator.rank() == 0)
      std::printf("100 executions, %d wrong\n%s", wrong, plan.explain().c_str());
  }  // the plan and the communicator end before MPI does
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
