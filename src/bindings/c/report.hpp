// Errors of the C interface: no exception leaves it, and MPI's error handlers hear of all.
#pragma once

#include <array>
#include <utility>

#include <mpi.h>
#include <pthread.h>

namespace shunt::c {

/// An error in the form that C gets. Allocates nothing, since memory may be exhausted.
struct Failure {
  int error_class;
  std::array<char, 1024> sentence;
};

/// Returns the error that is being handled. Called in a catch block; does not call MPI, which not
/// every MPI allows there.
[[nodiscard]] Failure current_failure() noexcept;

/// Where errors are reported: to the handler of `comm`, the caller's communicator. Once that is
/// freed, its `handler` is called for `stand_in`.
struct ErrorTarget {
  MPI_Comm comm;
  bool freed = false;
  MPI_Comm stand_in = MPI_COMM_NULL;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
};

/// Keeps the sentence for SHUNT_Last_error, calls the error handler, and returns the error class.
/// The handler may leave by longjmp, by an exception of its own, or with the thread: callers hold
/// no lock, and nothing else that has to be released.
int report(const char* function, const ErrorTarget& target, const Failure& failure);

/// Has pthread_cancel wait during its lifetime: a thread that ended in the middle of an exchange
/// would leave the other ranks waiting.
class NotCancelled {
 public:
  NotCancelled() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~NotCancelled() { pthread_setcancelstate(before_, nullptr); }
  NotCancelled(const NotCancelled&) = delete;
  NotCancelled& operator=(const NotCancelled&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

/// Runs `body`. Returns false if it throws: `failure` then says what, and no handler was called.
template <class Body>
[[nodiscard, gnu::always_inline]] inline bool succeeds(Failure& failure, Body&& body) noexcept {
  const NotCancelled until_then;
  try {
    std::forward<Body>(body)();
    return true;
  } catch (...) {
    failure = current_failure();
    return false;
  }
}

/// Runs `body` and returns MPI_SUCCESS, or reports what it throws.
template <class Body>
[[gnu::always_inline]] inline int guarded(const char* function, const ErrorTarget& target,
                                          Body&& body) {
  Failure failure;
  if (succeeds(failure, std::forward<Body>(body))) return MPI_SUCCESS;
  return report(function, target, failure);
}

}  // namespace shunt::c
