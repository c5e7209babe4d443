// What the Fortran module calls: handles are Fortran's integers, and Fortran's MPI_IN_PLACE and
// MPI_BOTTOM, which are variables, come along to be known by their addresses.
#include <type_traits>
#include <vector>

#include <mpi.h>

#include "shunt/shunt.h"

static_assert(std::is_same_v<MPI_Fint, int>, "Fortran's integers are taken for C's");

namespace {

/// The addresses that stand for no buffer.
struct Special {
  const void* in_place;
  const void* bottom;
};

void* c_buffer(void* buffer, const Special& special) {
  if (buffer == special.in_place) return MPI_IN_PLACE;
  return buffer == special.bottom ? MPI_BOTTOM : buffer;
}

/// In place the arguments of the send side may be anything at all.
MPI_Datatype send_type(const void* buffer, MPI_Fint type) {
  return buffer == MPI_IN_PLACE ? MPI_DATATYPE_NULL : MPI_Type_f2c(type);
}

std::vector<MPI_Datatype> c_types(const void* buffer, const MPI_Fint* types, MPI_Comm comm) {
  std::vector<MPI_Datatype> converted;
  int inter = 0;
  int ranks = 0;
  if (buffer == MPI_IN_PLACE || comm == MPI_COMM_NULL) return converted;
  if (MPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter != 0) return converted;
  MPI_Comm_size(comm, &ranks);
  for (int peer = 0; peer < ranks; ++peer) converted.push_back(MPI_Type_f2c(types[peer]));
  return converted;
}

}  // namespace

extern "C" {

int shunt_fortran_alltoall(void* sendbuf, MPI_Fint sendcount, MPI_Fint sendtype, void* recvbuf,
                           MPI_Fint recvcount, MPI_Fint recvtype, MPI_Fint comm,
                           const void* in_place, const void* bottom) {
  const void* send = c_buffer(sendbuf, {in_place, bottom});
  return SHUNT_Alltoall(send, sendcount, send_type(send, sendtype),
                        c_buffer(recvbuf, {in_place, bottom}), recvcount, MPI_Type_f2c(recvtype),
                        MPI_Comm_f2c(comm));
}

int shunt_fortran_alltoallv(void* sendbuf, const MPI_Fint* sendcounts, const MPI_Fint* sdispls,
                            MPI_Fint sendtype, void* recvbuf, const MPI_Fint* recvcounts,
                            const MPI_Fint* rdispls, MPI_Fint recvtype, MPI_Fint comm,
                            const void* in_place, const void* bottom) {
  const void* send = c_buffer(sendbuf, {in_place, bottom});
  return SHUNT_Alltoallv(send, sendcounts, sdispls, send_type(send, sendtype),
                         c_buffer(recvbuf, {in_place, bottom}), recvcounts, rdispls,
                         MPI_Type_f2c(recvtype), MPI_Comm_f2c(comm));
}

int shunt_fortran_alltoallw(void* sendbuf, const MPI_Fint* sendcounts, const MPI_Fint* sdispls,
                            const MPI_Fint* sendtypes, void* recvbuf, const MPI_Fint* recvcounts,
                            const MPI_Fint* rdispls, const MPI_Fint* recvtypes, MPI_Fint comm,
                            const void* in_place, const void* bottom) {
  const void* send = c_buffer(sendbuf, {in_place, bottom});
  void* receive = c_buffer(recvbuf, {in_place, bottom});
  const MPI_Comm c_comm = MPI_Comm_f2c(comm);
  return SHUNT_Alltoallw(send, sendcounts, sdispls, c_types(send, sendtypes, c_comm).data(),
                         receive, recvcounts, rdispls, c_types(receive, recvtypes, c_comm).data(),
                         c_comm);
}

int shunt_fortran_alltoall_init(void* sendbuf, MPI_Fint sendcount, MPI_Fint sendtype, void* recvbuf,
                                MPI_Fint recvcount, MPI_Fint recvtype, MPI_Fint comm,
                                const void* in_place, const void* bottom, SHUNT_Request* request) {
  const void* send = c_buffer(sendbuf, {in_place, bottom});
  return SHUNT_Alltoall_init(send, sendcount, send_type(send, sendtype),
                             c_buffer(recvbuf, {in_place, bottom}), recvcount,
                             MPI_Type_f2c(recvtype), MPI_Comm_f2c(comm), MPI_INFO_NULL, request);
}

int shunt_fortran_alltoallv_init(void* sendbuf, const MPI_Fint* sendcounts, const MPI_Fint* sdispls,
                                 MPI_Fint sendtype, void* recvbuf, const MPI_Fint* recvcounts,
                                 const MPI_Fint* rdispls, MPI_Fint recvtype, MPI_Fint comm,
                                 const void* in_place, const void* bottom, SHUNT_Request* request) {
  const void* send = c_buffer(sendbuf, {in_place, bottom});
  return SHUNT_Alltoallv_init(send, sendcounts, sdispls, send_type(send, sendtype),
                              c_buffer(recvbuf, {in_place, bottom}), recvcounts, rdispls,
                              MPI_Type_f2c(recvtype), MPI_Comm_f2c(comm), MPI_INFO_NULL, request);
}

int shunt_fortran_alltoallw_init(void* sendbuf, const MPI_Fint* sendcounts, const MPI_Fint* sdispls,
                                 const MPI_Fint* sendtypes, void* recvbuf,
                                 const MPI_Fint* recvcounts, const MPI_Fint* rdispls,
                                 const MPI_Fint* recvtypes, MPI_Fint comm, const void* in_place,
                                 const void* bottom, SHUNT_Request* request) {
  const void* send = c_buffer(sendbuf, {in_place, bottom});
  void* receive = c_buffer(recvbuf, {in_place, bottom});
  const MPI_Comm c_comm = MPI_Comm_f2c(comm);
  return SHUNT_Alltoallw_init(
      send, sendcounts, sdispls, c_types(send, sendtypes, c_comm).data(), receive, recvcounts,
      rdispls, c_types(receive, recvtypes, c_comm).data(), c_comm, MPI_INFO_NULL, request);
}

int shunt_fortran_allgather(void* sendbuf, MPI_Fint sendcount, MPI_Fint sendtype, void* recvbuf,
                            MPI_Fint recvcount, MPI_Fint recvtype, MPI_Fint comm,
                            const void* in_place, const void* bottom) {
  const void* send = c_buffer(sendbuf, {in_place, bottom});
  return SHUNT_Allgather(send, sendcount, send_type(send, sendtype),
                         c_buffer(recvbuf, {in_place, bottom}), recvcount, MPI_Type_f2c(recvtype),
                         MPI_Comm_f2c(comm));
}

int shunt_fortran_allgatherv(void* sendbuf, MPI_Fint sendcount, MPI_Fint sendtype, void* recvbuf,
                             const MPI_Fint* recvcounts, const MPI_Fint* displs, MPI_Fint recvtype,
                             MPI_Fint comm, const void* in_place, const void* bottom) {
  const void* send = c_buffer(sendbuf, {in_place, bottom});
  return SHUNT_Allgatherv(send, sendcount, send_type(send, sendtype),
                          c_buffer(recvbuf, {in_place, bottom}), recvcounts, displs,
                          MPI_Type_f2c(recvtype), MPI_Comm_f2c(comm));
}

int shunt_fortran_allgather_init(void* sendbuf, MPI_Fint sendcount, MPI_Fint sendtype,
                                 void* recvbuf, MPI_Fint recvcount, MPI_Fint recvtype,
                                 MPI_Fint comm, const void* in_place, const void* bottom,
                                 SHUNT_Request* request) {
  const void* send = c_buffer(sendbuf, {in_place, bottom});
  return SHUNT_Allgather_init(send, sendcount, send_type(send, sendtype),
                              c_buffer(recvbuf, {in_place, bottom}), recvcount,
                              MPI_Type_f2c(recvtype), MPI_Comm_f2c(comm), MPI_INFO_NULL, request);
}

int shunt_fortran_allgatherv_init(void* sendbuf, MPI_Fint sendcount, MPI_Fint sendtype,
                                  void* recvbuf, const MPI_Fint* recvcounts, const MPI_Fint* displs,
                                  MPI_Fint recvtype, MPI_Fint comm, const void* in_place,
                                  const void* bottom, SHUNT_Request* request) {
  const void* send = c_buffer(sendbuf, {in_place, bottom});
  return SHUNT_Allgatherv_init(send, sendcount, send_type(send, sendtype),
                               c_buffer(recvbuf, {in_place, bottom}), recvcounts, displs,
                               MPI_Type_f2c(recvtype), MPI_Comm_f2c(comm), MPI_INFO_NULL, request);
}

int shunt_fortran_wait(SHUNT_Request* request) { return SHUNT_Wait(request, MPI_STATUS_IGNORE); }

int shunt_fortran_test(SHUNT_Request* request, int* flag) {
  return SHUNT_Test(request, flag, MPI_STATUS_IGNORE);
}

}  // extern "C"
