// A call after MPI_Finalize is refused even on the communicator of the last call before it, which
// nobody has freed: what a thread found last is forgotten. That communicator is lost, as is what
// MPI holds for it, so this is a program of its own.
#include <cstdlib>
#include <iostream>
#include <string_view>

#include <mpi.h>

#include "shunt/error.hpp"
#include "shunt/shunt.hpp"

namespace {

bool is_refused(MPI_Comm comm) {
  try {
    const shunt::Yard yard(comm);
  } catch (const shunt::Error& error) {
    return std::string_view(error.what()).find("MPI is not running") != std::string_view::npos;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm kept = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &kept);
  // The first one makes what is kept on the communicator, the second one finds it.
  if (is_refused(kept) || is_refused(kept)) return EXIT_FAILURE;
  MPI_Finalize();
  if (is_refused(kept)) return EXIT_SUCCESS;
  std::cerr << "a call after MPI_Finalize is not refused\n";
  return EXIT_FAILURE;
}
