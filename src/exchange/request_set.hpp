// Requests that are under way, each with what to do when it is through.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <mpi.h>

#include "exchange/mpi_call.hpp"

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
    const auto size = static_cast<int>(requests_.size());
    finished_.resize(requests_.size());
    statuses_.resize(requests_.size());
    int count = 0;
    int code =
        wait ? MPI_Waitsome(size, requests_.data(), &count, finished_.data(), statuses_.data())
             : MPI_Testsome(size, requests_.data(), &count, finished_.data(), statuses_.data());
    for (int i = 0; code == MPI_ERR_IN_STATUS && i < count; ++i) {
      const int error = statuses_[static_cast<std::size_t>(i)].MPI_ERROR;
      if (error != MPI_SUCCESS) code = error;
    }
    check_mpi(code, wait ? "MPI_Waitsome" : "MPI_Testsome");
    if (count <= 0) return;
    through_.clear();
    for (int i = 0; i < count; ++i) {
      const auto index = static_cast<std::size_t>(finished_[static_cast<std::size_t>(i)]);
      through_.emplace_back(std::move(work_[index]), statuses_[static_cast<std::size_t>(i)]);
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
  std::vector<int> finished_;
  std::vector<MPI_Status> statuses_;
};

}  // namespace shunt
