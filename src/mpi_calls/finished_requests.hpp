// Which of several requests are through.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <mpi.h>

namespace shunt {

class FinishedRequests {
 public:
  /// Finds those of `requests` that are through, which become MPI_REQUEST_NULL; waits for one at
  /// least if `wait` and any is under way. A simulated rank that waits finds one at a time. Throws
  /// the error of one that failed.
  void find(std::span<MPI_Request> requests, bool wait);

  /// What the last call of `find` has found.
  [[nodiscard]] std::size_t size() const { return found_; }
  /// Which of the requests the k-th is that was found.
  [[nodiscard]] std::size_t index(std::size_t k) const {
    return static_cast<std::size_t>(indices_[k]);
  }
  [[nodiscard]] const MPI_Status& status(std::size_t k) const { return statuses_[k]; }

 private:
  std::size_t found_ = 0;
  std::vector<int> indices_;
  std::vector<MPI_Status> statuses_;
};

}  // namespace shunt
