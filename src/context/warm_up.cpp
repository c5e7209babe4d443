#include "context/warm_up.hpp"

#include "mpi_calls/errors_returned.hpp"

namespace shunt {

bool all_or_any(MPI_Comm comm, bool all, bool any) {
  const ErrorsReturned returned(comm);
  const int own[] = {all ? 1 : 0, any ? 0 : 1};
  int least[] = {0, 1};
  if (MPI_Allreduce(own, least, 2, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS) return false;
  return least[0] == 1 || least[1] == 0;
}

}  // namespace shunt
