// Requests that are under way, each with what to do when it is through.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <mpi.h>

#include "mpi_calls/finished_requests.hpp"
#include "mpi_calls/mpi_call.hpp"

namespace shunt {

/// `Work` says what a request was for.
template <class Work>
class RequestSet {
 public:
  RequestSet() = default;
  RequestSet(const RequestSet&) = delete;
  RequestSet& operator=(const RequestSet&) = delete;

  /// Cancels what an exception has left under way.
  ~RequestSet() { abandon(requests_); }

  [[nodiscard]] bool empty() const { return requests_.empty(); }
  [[nodiscard]] std::size_t size() const { return requests_.size(); }

  void add(MPI_Request request, Work work) {
    requests_.push_back(request);
    work_.push_back(std::move(work));
  }

  /// Hands all requests that are through to `handle(work, status)`, waiting for at least one if
  /// `wait` and any is under way. `handle` may add requests.
  template <class Handle>
  void progress(bool wait, Handle&& handle) {
    if (requests_.empty()) return;
    finished_.find(requests_, wait);
    if (finished_.size() == 0) return;
    through_.clear();
    for (std::size_t k = 0; k < finished_.size(); ++k) {
      through_.emplace_back(std::move(work_[finished_.index(k)]), finished_.status(k));
    }
    drop_finished();
    for (auto& [work, status] : through_) handle(work, status);
  }

 private:
  /// MPI has set the requests that are through to MPI_REQUEST_NULL.
  void drop_finished() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (requests_[i] == MPI_REQUEST_NULL) continue;
      if (kept != i) {
        requests_[kept] = requests_[i];
        work_[kept] = std::move(work_[i]);
      }
      ++kept;
    }
    requests_.resize(kept);
    work_.resize(kept);
  }

  std::vector<MPI_Request> requests_;
  std::vector<Work> work_;
  std::vector<std::pair<Work, MPI_Status>> through_;
  FinishedRequests finished_;
};

}  // namespace shunt
