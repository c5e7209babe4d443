// Every rank sends its number to all; exits 1 if a wrong one arrives.
#include <span>
#include <vector>

#include <mpi.h>
#include <shunt/shunt.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int wrong = 0;
  {
    shunt::Communicator communicator(MPI_COMM_WORLD);
    const std::vector<int> ones(static_cast<std::size_t>(communicator.ranks()), 1);
    const std::vector<int> numbers(ones.size(), communicator.rank());
    const std::vector<int> received = communicator.alltoallv(std::span<const int>(numbers), ones);
    for (int rank = 0; rank < communicator.ranks(); ++rank) {
      if (received[static_cast<std::size_t>(rank)] != rank) ++wrong;
    }
  }
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
