#include "mpi_calls/finished_requests.hpp"

#include <algorithm>

#include "mpi_calls/mpi_call.hpp"
#include "mpi_calls/simulated.hpp"

namespace shunt {

namespace {

/// The error of the first failed request of a call that returned MPI_ERR_IN_STATUS, else `code`.
int first_error(int code, std::span<const MPI_Status> statuses) {
  if (code != MPI_ERR_IN_STATUS) return code;
  for (const MPI_Status& status : statuses) {
    if (status.MPI_ERROR != MPI_SUCCESS && status.MPI_ERROR != MPI_ERR_PENDING) {
      return status.MPI_ERROR;
    }
  }
  return code;
}

}  // namespace

void FinishedRequests::find(std::span<MPI_Request> requests, bool wait) {
  found_ = 0;
  indices_.resize(requests.size());
  statuses_.resize(requests.size());
  const auto size = static_cast<int>(requests.size());
  if (kSimulated && wait) {
    // SimGrid never forgets what a test has found to be through, as MPI_Waitsome looks for all but
    // the first, and goes through a list of all that at the end of each message.
    check_mpi(MPI_Waitany(size, requests.data(), indices_.data(), statuses_.data()), "MPI_Waitany");
    found_ = indices_.front() == MPI_UNDEFINED ? 0 : 1;
    return;
  }
  int count = 0;
  const int code =
      wait ? MPI_Waitsome(size, requests.data(), &count, indices_.data(), statuses_.data())
           : MPI_Testsome(size, requests.data(), &count, indices_.data(), statuses_.data());
  // Where none is under way it is MPI_UNDEFINED, which is negative in each of these libraries.
  found_ = static_cast<std::size_t>(std::max(count, 0));
  check_mpi(first_error(code, std::span(statuses_).first(found_)),
            wait ? "MPI_Waitsome" : "MPI_Testsome");
}

}  // namespace shunt
