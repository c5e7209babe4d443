// The functions of MPI that programs find here instead of there, by the names MPI_X and PMPI_X.
#include <mpi.h>

#include "bindings/c/calls.hpp"
#include "interpose/crossing.hpp"
#include "interpose/next.hpp"
#include "interpose/report.hpp"

using namespace shunt::c;
using namespace shunt::interpose;

/// MPI's own function with these arguments, but for the buffers, which are those of a call.
#define SHUNT_NATIVE(name, ...)                       \
  [&](const Call& call) {                             \
    sendbuf = call.send.buffer;                       \
    recvbuf = const_cast<void*>(call.receive.buffer); \
    return next().name.own(__VA_ARGS__);              \
  }

/// MPI's own function, which has one count and one type for all ranks, with those of a call too.
#define SHUNT_NATIVE_EQUAL(name, ...)                                     \
  [&](const Call& call) {                                                 \
    sendbuf = call.send.buffer;                                           \
    sendcount = static_cast<decltype(sendcount)>(call.send.counts[0]);    \
    sendtype = call.send.type;                                            \
    recvbuf = const_cast<void*>(call.receive.buffer);                     \
    recvcount = static_cast<decltype(recvcount)>(call.receive.counts[0]); \
    recvtype = call.receive.type;                                         \
    return next().name.own(__VA_ARGS__);                                  \
  }

/// Defines MPI_`name` and PMPI_`name` with these `parameters`, whose names follow: a call that
/// `make_call` describes.
#define SHUNT_TAKE_BY(SHUNT_OWN, name, make_call, parameters, ...)                              \
  int MPI_##name parameters {                                                                   \
    if (auto* const tool = next().name.tool) return call_tool("MPI_" #name, tool, __VA_ARGS__); \
    return take(make_call("MPI_" #name, __VA_ARGS__), __builtin_return_address(0),              \
                SHUNT_OWN(name, __VA_ARGS__));                                                  \
  }                                                                                             \
  int PMPI_##name parameters {                                                                  \
    came_back = true;                                                                           \
    const void* const caller = __builtin_return_address(0);                                     \
    if (!is_on_its_way(caller)) return next().name.own(__VA_ARGS__);                            \
    return take(make_call("MPI_" #name, __VA_ARGS__), caller, SHUNT_OWN(name, __VA_ARGS__));    \
  }

#define SHUNT_TAKE(...) SHUNT_TAKE_BY(SHUNT_NATIVE, __VA_ARGS__)

namespace {

int end_by(int (*finalize)()) {
  report_misspelt();
  report_end();
  const NoTraceReport report;
  expect_end();
  const int code = finalize();
  report.say_if_so();
  return code;
}

}  // namespace

extern "C" {

SHUNT_TAKE_BY(SHUNT_NATIVE_EQUAL, Alltoall, alltoall_call,
              (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
               int recvcount, MPI_Datatype recvtype, MPI_Comm comm),
              sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)

SHUNT_TAKE(Alltoallv, alltoallv_call,
           (const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
            void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
            MPI_Comm comm),
           sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm)

SHUNT_TAKE(Alltoallw, alltoallw_call,
           (const void* sendbuf, const int sendcounts[], const int sdispls[],
            const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
            const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm),
           sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm)

SHUNT_TAKE(Allgather, allgather_call,
           (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
            MPI_Datatype recvtype, MPI_Comm comm),
           sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)

SHUNT_TAKE(Allgatherv, allgatherv_call,
           (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
            const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm),
           sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm)

#if MPI_VERSION >= 4

SHUNT_TAKE_BY(SHUNT_NATIVE_EQUAL, Alltoall_c, alltoall_call,
              (const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
               MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm),
              sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)

SHUNT_TAKE(Alltoallv_c, alltoallv_call,
           (const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
            MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[],
            const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm),
           sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm)

SHUNT_TAKE(Alltoallw_c, alltoallw_call,
           (const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
            const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm),
           sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm)

SHUNT_TAKE(Allgather_c, allgather_call,
           (const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
            MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm),
           sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)

SHUNT_TAKE(Allgatherv_c, allgatherv_call,
           (const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
            const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
            MPI_Comm comm),
           sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm)

#endif

/// Nothing but the last moment at which the ranks can tell each other what they did. From here on
/// MPI may end in any call.
int MPI_Finalize() {
  auto* const tool = next().Finalize.tool;
  return end_by(tool != nullptr ? tool : next().Finalize.own);
}

/// What Fortran and tools call.
int PMPI_Finalize() { return end_by(next().Finalize.own); }

}  // extern "C"
