#include "tools/common/parallel_parts.hpp"

#include <atomic>
#include <cstdio>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace shunt {

namespace {

class Parts {
 public:
  Parts(int count, const std::function<void(int)>& make)
      : count_(count), make_(make), next_(count), shows_progress_(isatty(STDERR_FILENO) != 0) {}

  void run(int threads) {
    std::vector<std::jthread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back([this] { work(); });
    work();
    others.clear();
    if (shows_progress_) fmt::print(stderr, "\r{:30}\r", "");
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work() {
    try {
      for (int part = --next_; part >= 0; part = --next_) {
        make_(part);
        show_progress();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      next_ = 0;
    }
  }

  void show_progress() {
    if (!shows_progress_) return;
    const std::lock_guard lock(mutex_);
    ++done_;
    fmt::print(stderr, "\r{} of {} parts", done_, count_);
  }

  int count_;
  const std::function<void(int)>& make_;
  std::atomic<int> next_;
  bool shows_progress_;
  std::mutex mutex_;  ///< guards what follows
  int done_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

void for_each_part(int count, int threads, const std::function<void(int)>& make) {
  Parts(count, make).run(threads);
}

}  // namespace shunt
