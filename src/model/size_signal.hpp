// Files that would be longer than the process may have them (RLIMIT_FSIZE).
#pragma once

#include <csignal>
#include <ctime>

#include <pthread.h>

namespace shunt {

/// Makes a file that would be too long an error (EFBIG) for this thread during its lifetime, where
/// SIGXFSZ would end the program: only a file of Shunt's is lost.
class NoSizeSignal {
 public:
  NoSizeSignal() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGXFSZ) == 1;
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~NoSizeSignal() {
    constexpr timespec kAtOnce{0, 0};
    // Takes the one that has come meanwhile. The system sends it to this thread alone.
    if (!was_pending_) sigtimedwait(&signal_, nullptr, &kAtOnce);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoSizeSignal(const NoSizeSignal&) = delete;
  NoSizeSignal& operator=(const NoSizeSignal&) = delete;

 private:
  sigset_t signal_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

}  // namespace shunt
