// A program that ends MPI in the destructor of a global object: one of the last, as it was made
// before all that its calls make. Its plan is to be remembered nevertheless.
#include <cstdlib>
#include <vector>

#include <mpi.h>

#include "shunt/shunt.hpp"

namespace {

struct Session {
  Session() { MPI_Init(nullptr, nullptr); }
  ~Session() { MPI_Finalize(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

const Session kSession;

}  // namespace

int main() {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::vector<int> send(static_cast<std::size_t>(ranks), rank);
  std::vector<int> received(send.size(), -1);
  const shunt::Layout layout = shunt::Layout::packed(std::vector<int>(send.size(), 1));
  shunt::Communicator communicator(MPI_COMM_WORLD);
  shunt::Plan plan =
      communicator.plan_alltoallv(std::span(send), layout, std::span(received), layout);
  plan.execute();
  for (int peer = 0; peer < ranks; ++peer) {
    if (received[static_cast<std::size_t>(peer)] != peer) return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
