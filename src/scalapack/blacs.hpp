// What is called of the BLACS, which come with the ScaLAPACK that a program is linked to.
#pragma once

#include <mpi.h>

// NOLINTBEGIN(readability-identifier-naming): the names are theirs.
extern "C" {

/// -1 in all four where this process is not in the context.
void Cblacs_gridinfo(int context, int* rows, int* columns, int* row, int* column);
/// `what` 10: a handle of the communicator of the context, whose ranks are its processes in
/// row-major order.
void Cblacs_get(int context, int what, int* value);
MPI_Comm Cblacs2sys_handle(int handle);
void Cfree_blacs_system_handle(int handle);
void Cblacs_abort(int context, int code);
}
// NOLINTEND(readability-identifier-naming)
