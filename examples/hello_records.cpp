// Records, and a destination for each: no counts, no sorting, no displacements.
#include <cstdio>
#include <vector>

#include <mpi.h>

#include "shunt/shunt.hpp"

struct Parcel {
  int owner;
  int from;
  double weight;
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int wrong = 0;
  {
    shunt::Communicator communicator(MPI_COMM_WORLD);
    std::vector<Parcel> parcels;
    for (int i = 0; i < 1000; ++i) {
      parcels.push_back(
          {(communicator.rank() + i * i) % communicator.ranks(), communicator.rank(), 0.5 * i});
    }

    const auto mine = communicator.exchange(std::span<const Parcel>(parcels),
                                            [](const Parcel& parcel) { return parcel.owner; });

    for (const Parcel& parcel : mine) wrong += parcel.owner == communicator.rank() ? 0 : 1;
    int arrived = static_cast<int>(mine.size());
    MPI_Allreduce(MPI_IN_PLACE, &arrived, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    wrong += arrived == 1000 * communicator.ranks() ? 0 : 1;
    if (communicator.rank() == 0) std::printf("%d parcels arrived, %d wrong\n", arrived, wrong);
  }  // the communicator ends before MPI does
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
