#include "conformance/error_cases.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>
#include <mpi.h>

#include "conformance/names.hpp"
#include "shunt/shunt.h"

namespace shunt::test {

namespace {

enum Wrong {
  negative_sent,
  negative_received,
  null_send_type,
  null_receive_type,
  uncommitted,
  null_communicator,
  too_short
};

constexpr const char* kWhat[] = {"negative send count",    "negative receive count",
                                 "null send type",         "null receive type",
                                 "uncommitted send type",  "null communicator",
                                 "less expected than sent"};

int class_of(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class;
}

}  // namespace

std::string ErrorCase::describe() const {
  return fmt::format("SHUNT_{}, {}", kFunctionNames[function_], kWhat[wrong_]);
}

std::string ErrorCase::run() const {
  MPI_Datatype never_committed = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &never_committed);
  std::vector<int> data(8, 1);
  std::vector<int> received(8, 0);
  int sent = wrong_ == negative_sent ? -3 : 4;
  int expected = wrong_ == negative_received ? -3 : 4;
  if (wrong_ == too_short) expected = 2;
  MPI_Datatype out = wrong_ == null_send_type ? MPI_DATATYPE_NULL : MPI_INT;
  if (wrong_ == uncommitted) {
    out = never_committed;
    sent = 2;
  }
  MPI_Datatype in = wrong_ == null_receive_type ? MPI_DATATYPE_NULL : MPI_INT;
  MPI_Comm comm = wrong_ == null_communicator ? MPI_COMM_NULL : MPI_COMM_SELF;
  const int place = 0;
  auto call = [&](auto all, auto v, auto w, auto gather, auto gather_v) {
    switch (function_) {
      case 0:
        return all(data.data(), sent, out, received.data(), expected, in, comm);
      case 1:
        return v(data.data(), &sent, &place, out, received.data(), &expected, &place, in, comm);
      case 3:
        return gather(data.data(), sent, out, received.data(), expected, in, comm);
      case 4:
        return gather_v(data.data(), sent, out, received.data(), &expected, &place, in, comm);
      default:
        return w(data.data(), &sent, &place, &out, received.data(), &expected, &place, &in, comm);
    }
  };
  // On one rank an all-gather is an all-to-all exchange. Open MPI 4.1 looks at fewer arguments of
  // MPI_Allgatherv there, and overruns its buffers instead.
  auto mpi_gather_v = [](const void* from, int count, MPI_Datatype type, void* to,
                         const int* counts, const int* places, MPI_Datatype received_type,
                         MPI_Comm where) {
    const int no_place = 0;
    return MPI_Alltoallv(from, &count, &no_place, type, to, counts, places, received_type, where);
  };
  const int by_mpi =
      class_of(call(MPI_Alltoall, MPI_Alltoallv, MPI_Alltoallw, MPI_Alltoall, mpi_gather_v));
  const int by_shunt = class_of(
      call(SHUNT_Alltoall, SHUNT_Alltoallv, SHUNT_Alltoallw, SHUNT_Allgather, SHUNT_Allgatherv));
  MPI_Type_free(&never_committed);
  if (by_mpi == by_shunt) return {};
  // MPICH 4.2 says so of a block that is too short, and no status tells more.
  if (by_mpi == MPI_ERR_IN_STATUS && by_shunt == MPI_ERR_TRUNCATE) return {};
  return fmt::format("MPI says \"{}\", Shunt \"{}\" ({})", text_of_error(by_mpi),
                     text_of_error(by_shunt), SHUNT_Last_error());
}

}  // namespace shunt::test
