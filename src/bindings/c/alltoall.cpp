// The collectives themselves.
#include "bindings/c/calls.hpp"
#include "bindings/c/traced.hpp"
#include "shunt/shunt.h"

int SHUNT_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return shunt::c::make_traced_exchange(shunt::c::alltoall_call(
      "SHUNT_Alltoall", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

int SHUNT_Alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return shunt::c::make_traced_exchange(shunt::c::alltoall_call(
      "SHUNT_Alltoall_c", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

int SHUNT_Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                    MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                    const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  return shunt::c::make_traced_exchange(
      shunt::c::alltoallv_call("SHUNT_Alltoallv", sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                               recvcounts, rdispls, recvtype, comm));
}

int SHUNT_Alltoallv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                      MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[],
                      const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  return shunt::c::make_traced_exchange(
      shunt::c::alltoallv_call("SHUNT_Alltoallv_c", sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                               recvcounts, rdispls, recvtype, comm));
}

int SHUNT_Alltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
                    const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                    const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  return shunt::c::make_traced_exchange(
      shunt::c::alltoallw_call("SHUNT_Alltoallw", sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                               recvcounts, rdispls, recvtypes, comm));
}

int SHUNT_Alltoallw_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                      const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                      const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  return shunt::c::make_traced_exchange(
      shunt::c::alltoallw_call("SHUNT_Alltoallw_c", sendbuf, sendcounts, sdispls, sendtypes,
                               recvbuf, recvcounts, rdispls, recvtypes, comm));
}
