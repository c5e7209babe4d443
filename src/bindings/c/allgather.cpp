// The broadcasts themselves.
#include "bindings/c/calls.hpp"
#include "bindings/c/traced.hpp"
#include "shunt/shunt.h"

int SHUNT_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return shunt::c::make_traced_exchange(shunt::c::allgather_call(
      "SHUNT_Allgather", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

int SHUNT_Allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                      void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return shunt::c::make_traced_exchange(shunt::c::allgather_call(
      "SHUNT_Allgather_c", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

int SHUNT_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                     MPI_Comm comm) {
  return shunt::c::make_traced_exchange(
      shunt::c::allgatherv_call("SHUNT_Allgatherv", sendbuf, sendcount, sendtype, recvbuf,
                                recvcounts, displs, recvtype, comm));
}

int SHUNT_Allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                       void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                       MPI_Datatype recvtype, MPI_Comm comm) {
  return shunt::c::make_traced_exchange(
      shunt::c::allgatherv_call("SHUNT_Allgatherv_c", sendbuf, sendcount, sendtype, recvbuf,
                                recvcounts, displs, recvtype, comm));
}
