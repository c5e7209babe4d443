// Has errors on a communicator of the program returned to Shunt for a while.
#pragma once

#include <mpi.h>

#include "mpi_calls/mpi_call.hpp"

namespace shunt {

/// Has MPI return the errors of calls on `comm` during its lifetime, without calling the error
/// handler of `comm`. Local. MPI is running, and `comm` is not null. Leaves MPI_COMM_SELF alone:
/// MPICH 4.2 has errors that belong to no communicator handled as it says once a handler was set
/// there, even the one that it had, and until then as MPI_COMM_WORLD says.
class ErrorsReturned {
 public:
  explicit ErrorsReturned(MPI_Comm comm) : comm_(comm) {
    if (comm == MPI_COMM_SELF) return;
    check_mpi(MPI_Comm_get_errhandler(comm, &handler_), "MPI_Comm_get_errhandler");
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  }
  ~ErrorsReturned() {
    if (comm_ == MPI_COMM_SELF) return;
    MPI_Comm_set_errhandler(comm_, handler_);
    MPI_Errhandler_free(&handler_);
  }
  ErrorsReturned(const ErrorsReturned&) = delete;
  ErrorsReturned& operator=(const ErrorsReturned&) = delete;

 private:
  MPI_Comm comm_;
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

}  // namespace shunt
