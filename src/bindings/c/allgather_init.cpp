// The broadcasts as persistent requests.
#include "bindings/c/calls.hpp"
#include "bindings/c/request.hpp"
#include "shunt/shunt.h"

int SHUNT_Allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info /*info*/,
                         SHUNT_Request* request) {
  return shunt::c::make_request(
      shunt::c::allgather_call("SHUNT_Allgather_init", sendbuf, sendcount, sendtype, recvbuf,
                               recvcount, recvtype, comm),
      request);
}

int SHUNT_Allgather_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                           void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                           MPI_Info /*info*/, SHUNT_Request* request) {
  return shunt::c::make_request(
      shunt::c::allgather_call("SHUNT_Allgather_init_c", sendbuf, sendcount, sendtype, recvbuf,
                               recvcount, recvtype, comm),
      request);
}

int SHUNT_Allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                          MPI_Comm comm, MPI_Info /*info*/, SHUNT_Request* request) {
  return shunt::c::make_request(
      shunt::c::allgatherv_call("SHUNT_Allgatherv_init", sendbuf, sendcount, sendtype, recvbuf,
                                recvcounts, displs, recvtype, comm),
      request);
}

int SHUNT_Allgatherv_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                            void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Info /*info*/,
                            SHUNT_Request* request) {
  return shunt::c::make_request(
      shunt::c::allgatherv_call("SHUNT_Allgatherv_init_c", sendbuf, sendcount, sendtype, recvbuf,
                                recvcounts, displs, recvtype, comm),
      request);
}
