// The arguments of the functions of the C interface as calls; both for ints and for wide counts.
#pragma once

#include "bindings/c/arguments.hpp"

namespace shunt::c {

/// Refers to the counts, which must outlive it.
template <class Count>
[[nodiscard]] Call alltoall_call(const char* function, const void* sendbuf, const Count& sendcount,
                                 MPI_Datatype sendtype, void* recvbuf, const Count& recvcount,
                                 MPI_Datatype recvtype, MPI_Comm comm) {
  const Integers none = Integers::array<int>(nullptr);
  return {function,
          Form::alltoall,
          {sendbuf, Integers::every(sendcount), none, sendtype, nullptr},
          {recvbuf, Integers::every(recvcount), none, recvtype, nullptr},
          comm};
}

template <class Count, class Place>
[[nodiscard]] Call alltoallv_call(const char* function, const void* sendbuf,
                                  const Count* sendcounts, const Place* sdispls,
                                  MPI_Datatype sendtype, void* recvbuf, const Count* recvcounts,
                                  const Place* rdispls, MPI_Datatype recvtype, MPI_Comm comm) {
  return {function,
          Form::alltoallv,
          {sendbuf, Integers::array(sendcounts), Integers::array(sdispls), sendtype, nullptr},
          {recvbuf, Integers::array(recvcounts), Integers::array(rdispls), recvtype, nullptr},
          comm};
}

template <class Count>
[[nodiscard]] Call allgather_call(const char* function, const void* sendbuf, const Count& sendcount,
                                  MPI_Datatype sendtype, void* recvbuf, const Count& recvcount,
                                  MPI_Datatype recvtype, MPI_Comm comm) {
  Call call =
      alltoall_call(function, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
  call.form = Form::allgather;
  return call;
}

template <class Count, class Place>
[[nodiscard]] Call allgatherv_call(const char* function, const void* sendbuf,
                                   const Count& sendcount, MPI_Datatype sendtype, void* recvbuf,
                                   const Count* recvcounts, const Place* displs,
                                   MPI_Datatype recvtype, MPI_Comm comm) {
  return {function,
          Form::allgatherv,
          {sendbuf, Integers::every(sendcount), Integers::array<int>(nullptr), sendtype, nullptr},
          {recvbuf, Integers::array(recvcounts), Integers::array(displs), recvtype, nullptr},
          comm};
}

template <class Count, class Place>
[[nodiscard]] Call alltoallw_call(const char* function, const void* sendbuf,
                                  const Count* sendcounts, const Place* sdispls,
                                  const MPI_Datatype* sendtypes, void* recvbuf,
                                  const Count* recvcounts, const Place* rdispls,
                                  const MPI_Datatype* recvtypes, MPI_Comm comm) {
  return {function,
          Form::alltoallw,
          {sendbuf, Integers::array(sendcounts), Integers::array(sdispls), MPI_DATATYPE_NULL,
           sendtypes},
          {recvbuf, Integers::array(recvcounts), Integers::array(rdispls), MPI_DATATYPE_NULL,
           recvtypes},
          comm};
}

}  // namespace shunt::c
