// Files that would be longer than the process may have them (RLIMIT_FSIZE).
#pragma once

#include <csignal>
#include <ctime>

#include <pthread.h>

namespace shunt {

/// As long as it lives, such a file is an error (EFBIG) for this thread, where SIGXFSZ would end
/// the program: what it loses is ours, and none of its business.
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
