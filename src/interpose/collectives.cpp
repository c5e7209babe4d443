// The functions of MPI that programs find here instead of there.
#include <mpi.h>

#include "bindings/c/calls.hpp"
#include "exchange/mpi_call.hpp"
#include "interpose/crossing.hpp"
#include "interpose/report.hpp"

using namespace shunt::c;
using shunt::interpose::take;

extern "C" {

int MPI_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return take(alltoall_call("MPI_Alltoall", sendbuf, sendcount, sendtype, recvbuf, recvcount,
                            recvtype, comm),
              __builtin_return_address(0), [&] {
                return PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                     comm);
              });
}

int MPI_Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                  MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
                  MPI_Datatype recvtype, MPI_Comm comm) {
  return take(alltoallv_call("MPI_Alltoallv", sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                             recvcounts, rdispls, recvtype, comm),
              __builtin_return_address(0), [&] {
                return PMPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                      rdispls, recvtype, comm);
              });
}

int MPI_Alltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
                  const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                  const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  return take(alltoallw_call("MPI_Alltoallw", sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                             recvcounts, rdispls, recvtypes, comm),
              __builtin_return_address(0), [&] {
                return PMPI_Alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                                      rdispls, recvtypes, comm);
              });
}

int MPI_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return take(allgather_call("MPI_Allgather", sendbuf, sendcount, sendtype, recvbuf, recvcount,
                             recvtype, comm),
              __builtin_return_address(0), [&] {
                return PMPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                      comm);
              });
}

int MPI_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                   MPI_Comm comm) {
  return take(allgatherv_call("MPI_Allgatherv", sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                              displs, recvtype, comm),
              __builtin_return_address(0), [&] {
                return PMPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                       recvtype, comm);
              });
}

#if MPI_VERSION >= 4

int MPI_Alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return take(alltoall_call("MPI_Alltoall_c", sendbuf, sendcount, sendtype, recvbuf, recvcount,
                            recvtype, comm),
              __builtin_return_address(0), [&] {
                return PMPI_Alltoall_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                       comm);
              });
}

int MPI_Alltoallv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                    MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[],
                    const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  return take(alltoallv_call("MPI_Alltoallv_c", sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                             recvcounts, rdispls, recvtype, comm),
              __builtin_return_address(0), [&] {
                return PMPI_Alltoallv_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                        rdispls, recvtype, comm);
              });
}

int MPI_Alltoallw_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                    const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  return take(alltoallw_call("MPI_Alltoallw_c", sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                             recvcounts, rdispls, recvtypes, comm),
              __builtin_return_address(0), [&] {
                return PMPI_Alltoallw_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                        recvcounts, rdispls, recvtypes, comm);
              });
}

int MPI_Allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return take(allgather_call("MPI_Allgather_c", sendbuf, sendcount, sendtype, recvbuf, recvcount,
                             recvtype, comm),
              __builtin_return_address(0), [&] {
                return PMPI_Allgather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                        comm);
              });
}

int MPI_Allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                     MPI_Comm comm) {
  return take(allgatherv_call("MPI_Allgatherv_c", sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                              displs, recvtype, comm),
              __builtin_return_address(0), [&] {
                return PMPI_Allgatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                         recvtype, comm);
              });
}

#endif

/// Nothing but the last moment at which the ranks can tell each other what they did.
int MPI_Finalize() {
  if (shunt::mpi_is_running()) shunt::interpose::report_end();
  shunt::interpose::expect_end();
  return PMPI_Finalize();
}

}  // extern "C"
