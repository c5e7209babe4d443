#include "mpi_calls/at_finalize.hpp"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <mpi.h>

#include "model/or_nothing.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "mpi_calls/simulated.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

using Tasks = std::vector<std::function<void()>>;

/// MPI deletes the attributes of MPI_COMM_SELF first of all when it is finalized (MPI-3.1, 8.7.1).
int run_tasks(MPI_Comm /*self*/, int /*keyval*/, void* value, void* /*extra*/) {
  const std::unique_ptr<Tasks> tasks(static_cast<Tasks*>(value));
  while (!tasks->empty()) {
    const std::function<void()> task = std::move(tasks->back());
    tasks->pop_back();
    // MPI understands no exceptions, and the other tasks have to be done all the same.
    or_nothing(task);
  }
  given_back.store(true, std::memory_order_relaxed);
  return MPI_SUCCESS;
}

Tasks& tasks_at_finalize() {
  static Tasks* kept = [] {
    int key = MPI_KEYVAL_INVALID;
    check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, run_tasks, &key, nullptr),
              "MPI_Comm_create_keyval");
    auto tasks = std::make_unique<Tasks>();
    check_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, key, tasks.get()), "MPI_Comm_set_attr");
    // It lives on for as long as the attribute does.
    check_mpi(MPI_Comm_free_keyval(&key), "MPI_Comm_free_keyval");
    return tasks.release();
  }();
  return *kept;
}

}  // namespace

void at_finalize(std::function<void()> give_back) {
  // SMPI deletes attributes when it takes no more calls.
  if (kSimulated) return;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  tasks_at_finalize().push_back(std::move(give_back));
}

void expect_not_given_back() {
  if (!has_given_back()) return;
  throw Error(ErrorKind::communicator,
              "MPI_Finalize has begun, and Shunt has given back all that it had: make its calls "
              "before, or in delete callbacks on MPI_COMM_SELF that are set after its first call");
}

}  // namespace shunt
