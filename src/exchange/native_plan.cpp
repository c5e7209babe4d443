#include "exchange/native_plan.hpp"

#include <algorithm>
#include <utility>

#include "exchange/mpi_call.hpp"
#include "model/narrow.hpp"

namespace shunt {

namespace {

bool all_fit(const std::vector<Bytes>& values) {
  return std::ranges::all_of(values, [](Bytes value) { return std::in_range<int>(value); });
}

std::vector<int> ints(const std::vector<Bytes>& values) {
  std::vector<int> narrowed;
  for (const Bytes value : values) {
    narrowed.push_back(narrow<int>(value, "a count or displacement of MPI_Alltoallv"));
  }
  return narrowed;
}

}  // namespace

bool NativePlan::fits(const SendBlocks& send, const ReceiveBlocks& receive) {
  return all_fit(send.bytes) && all_fit(send.offsets) && all_fit(receive.bytes) &&
         all_fit(receive.offsets);
}

NativePlan::NativePlan(std::shared_ptr<YardState> yard, const SendBlocks& send,
                       const ReceiveBlocks& receive)
    : PlannedExchange(std::move(yard)),
      send_(send.base),
      receive_(receive.base),
      send_counts_(ints(send.bytes)),
      send_places_(ints(send.offsets)),
      receive_counts_(ints(receive.bytes)),
      receive_places_(ints(receive.offsets)) {}

NativePlan::~NativePlan() {
  if (request_ != MPI_REQUEST_NULL && mpi_is_running()) MPI_Wait(&request_, MPI_STATUS_IGNORE);
}

bool NativePlan::begin() {
  check_mpi(MPI_Ialltoallv(send_, send_counts_.data(), send_places_.data(), MPI_BYTE, receive_,
                           receive_counts_.data(), receive_places_.data(), MPI_BYTE, yard().comm(),
                           &request_),
            "MPI_Ialltoallv");
  return true;
}

bool NativePlan::advance(bool wait) {
  int over = 1;
  if (wait) {
    check_mpi(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait");
  } else {
    check_mpi(MPI_Test(&request_, &over, MPI_STATUS_IGNORE), "MPI_Test");
  }
  if (over == 0) return false;
  finish();
  return true;
}

}  // namespace shunt
