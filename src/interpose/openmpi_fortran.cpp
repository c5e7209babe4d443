// Fortran under Open MPI, whose entries do not pass through the C functions: mpif.h and `use mpi`
// call mpi_alltoall_ or another spelling of it, `use mpi_f08` calls ompi_alltoall_f.
#include <type_traits>
#include <vector>

#include <mpi.h>

#include "bindings/c/calls.hpp"
#include "exchange/mpi_call.hpp"
#include "interpose/crossing.hpp"

using namespace shunt::c;
using shunt::interpose::take;

static_assert(std::is_same_v<MPI_Fint, int>, "Fortran's integers are taken for C's");

extern "C" {

// What Fortran calls MPI_IN_PLACE and MPI_BOTTOM are variables, whose spelling depends on Fortran's
// compiler. Those that are not there have no address.
#define SHUNT_WEAK extern __attribute__((weak)) int
SHUNT_WEAK MPI_FORTRAN_IN_PLACE, mpi_fortran_in_place, mpi_fortran_in_place_,
    mpi_fortran_in_place__;
SHUNT_WEAK MPI_FORTRAN_BOTTOM, mpi_fortran_bottom, mpi_fortran_bottom_, mpi_fortran_bottom__;
#undef SHUNT_WEAK

}  // extern "C"

namespace {

template <class... Variable>
bool is_one_of(const void* buffer, const Variable&... variables) {
  return buffer != nullptr && ((buffer == &variables) || ...);
}

void* c_buffer(void* buffer) {
  if (is_one_of(buffer, MPI_FORTRAN_IN_PLACE, mpi_fortran_in_place, mpi_fortran_in_place_,
                mpi_fortran_in_place__)) {
    return MPI_IN_PLACE;
  }
  if (is_one_of(buffer, MPI_FORTRAN_BOTTOM, mpi_fortran_bottom, mpi_fortran_bottom_,
                mpi_fortran_bottom__)) {
    return MPI_BOTTOM;
  }
  return buffer;
}

/// In place, Fortran programs leave anything at all in the arguments of the send side.
MPI_Datatype c_type(const void* buffer, const MPI_Fint* type) {
  return buffer == MPI_IN_PLACE ? MPI_DATATYPE_NULL : PMPI_Type_f2c(*type);
}

std::vector<MPI_Datatype> c_types(const void* buffer, const MPI_Fint* types, MPI_Comm comm) {
  int inter = 0;
  int peers = 0;
  if (buffer == MPI_IN_PLACE || comm == MPI_COMM_NULL || !shunt::mpi_is_running()) return {};
  PMPI_Comm_test_inter(comm, &inter);
  (inter != 0 ? PMPI_Comm_remote_size : PMPI_Comm_size)(comm, &peers);
  std::vector<MPI_Datatype> converted;
  for (int peer = 0; peer < peers; ++peer) converted.push_back(PMPI_Type_f2c(types[peer]));
  return converted;
}

void set(MPI_Fint* error, int code) {
  if (error != nullptr) *error = code;
}

}  // namespace

extern "C" {

// Every spelling of a name that a compiler of Fortran may use.
#define SHUNT_SPELLINGS(target, lower, upper, ...)             \
  void lower(__VA_ARGS__) __attribute__((alias(#target)));     \
  void lower##_(__VA_ARGS__) __attribute__((alias(#target)));  \
  void lower##__(__VA_ARGS__) __attribute__((alias(#target))); \
  void upper(__VA_ARGS__) __attribute__((alias(#target)))

void ompi_alltoall_f(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                     MPI_Fint* recvcount, MPI_Fint* recvtype, MPI_Fint* comm, MPI_Fint* error) {
  void* const send = c_buffer(sendbuf);
  void* const receive = c_buffer(recvbuf);
  const MPI_Datatype send_type = c_type(send, sendtype);
  const MPI_Datatype receive_type = c_type(receive, recvtype);
  const MPI_Comm c_comm = PMPI_Comm_f2c(*comm);
  set(error, take(alltoall_call("MPI_Alltoall", send, *sendcount, send_type, receive, *recvcount,
                                receive_type, c_comm),
                  __builtin_return_address(0), [&] {
                    return PMPI_Alltoall(send, *sendcount, send_type, receive, *recvcount,
                                         receive_type, c_comm);
                  }));
}

void ompi_alltoallv_f(void* sendbuf, MPI_Fint* sendcounts, MPI_Fint* sdispls, MPI_Fint* sendtype,
                      void* recvbuf, MPI_Fint* recvcounts, MPI_Fint* rdispls, MPI_Fint* recvtype,
                      MPI_Fint* comm, MPI_Fint* error) {
  void* const send = c_buffer(sendbuf);
  void* const receive = c_buffer(recvbuf);
  const MPI_Datatype send_type = c_type(send, sendtype);
  const MPI_Datatype receive_type = c_type(receive, recvtype);
  const MPI_Comm c_comm = PMPI_Comm_f2c(*comm);
  set(error, take(alltoallv_call("MPI_Alltoallv", send, sendcounts, sdispls, send_type, receive,
                                 recvcounts, rdispls, receive_type, c_comm),
                  __builtin_return_address(0), [&] {
                    return PMPI_Alltoallv(send, sendcounts, sdispls, send_type, receive, recvcounts,
                                          rdispls, receive_type, c_comm);
                  }));
}

void ompi_alltoallw_f(void* sendbuf, MPI_Fint* sendcounts, MPI_Fint* sdispls, MPI_Fint* sendtypes,
                      void* recvbuf, MPI_Fint* recvcounts, MPI_Fint* rdispls, MPI_Fint* recvtypes,
                      MPI_Fint* comm, MPI_Fint* error) {
  void* const send = c_buffer(sendbuf);
  void* const receive = c_buffer(recvbuf);
  const MPI_Comm c_comm = PMPI_Comm_f2c(*comm);
  const std::vector<MPI_Datatype> send_types = c_types(send, sendtypes, c_comm);
  const std::vector<MPI_Datatype> receive_types = c_types(receive, recvtypes, c_comm);
  set(error, take(alltoallw_call("MPI_Alltoallw", send, sendcounts, sdispls, send_types.data(),
                                 receive, recvcounts, rdispls, receive_types.data(), c_comm),
                  __builtin_return_address(0), [&] {
                    return PMPI_Alltoallw(send, sendcounts, sdispls, send_types.data(), receive,
                                          recvcounts, rdispls, receive_types.data(), c_comm);
                  }));
}

void ompi_allgather_f(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                      MPI_Fint* recvcount, MPI_Fint* recvtype, MPI_Fint* comm, MPI_Fint* error) {
  void* const send = c_buffer(sendbuf);
  void* const receive = c_buffer(recvbuf);
  const MPI_Datatype send_type = c_type(send, sendtype);
  const MPI_Datatype receive_type = c_type(receive, recvtype);
  const MPI_Comm c_comm = PMPI_Comm_f2c(*comm);
  set(error, take(allgather_call("MPI_Allgather", send, *sendcount, send_type, receive, *recvcount,
                                 receive_type, c_comm),
                  __builtin_return_address(0), [&] {
                    return PMPI_Allgather(send, *sendcount, send_type, receive, *recvcount,
                                          receive_type, c_comm);
                  }));
}

void ompi_allgatherv_f(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                       MPI_Fint* recvcounts, MPI_Fint* displs, MPI_Fint* recvtype, MPI_Fint* comm,
                       MPI_Fint* error) {
  void* const send = c_buffer(sendbuf);
  void* const receive = c_buffer(recvbuf);
  const MPI_Datatype send_type = c_type(send, sendtype);
  const MPI_Datatype receive_type = c_type(receive, recvtype);
  const MPI_Comm c_comm = PMPI_Comm_f2c(*comm);
  set(error, take(allgatherv_call("MPI_Allgatherv", send, *sendcount, send_type, receive,
                                  recvcounts, displs, receive_type, c_comm),
                  __builtin_return_address(0), [&] {
                    return PMPI_Allgatherv(send, *sendcount, send_type, receive, recvcounts, displs,
                                           receive_type, c_comm);
                  }));
}

void ompi_finalize_f(MPI_Fint* error) { set(error, MPI_Finalize()); }

SHUNT_SPELLINGS(ompi_alltoall_f, mpi_alltoall, MPI_ALLTOALL, void*, MPI_Fint*, MPI_Fint*, void*,
                MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*);
SHUNT_SPELLINGS(ompi_alltoallv_f, mpi_alltoallv, MPI_ALLTOALLV, void*, MPI_Fint*, MPI_Fint*,
                MPI_Fint*, void*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*);
SHUNT_SPELLINGS(ompi_alltoallw_f, mpi_alltoallw, MPI_ALLTOALLW, void*, MPI_Fint*, MPI_Fint*,
                MPI_Fint*, void*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*);
SHUNT_SPELLINGS(ompi_allgather_f, mpi_allgather, MPI_ALLGATHER, void*, MPI_Fint*, MPI_Fint*, void*,
                MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*);
SHUNT_SPELLINGS(ompi_allgatherv_f, mpi_allgatherv, MPI_ALLGATHERV, void*, MPI_Fint*, MPI_Fint*,
                void*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*);
SHUNT_SPELLINGS(ompi_finalize_f, mpi_finalize, MPI_FINALIZE, MPI_Fint*);

#undef SHUNT_SPELLINGS

}  // extern "C"
