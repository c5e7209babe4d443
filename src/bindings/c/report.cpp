#include "bindings/c/report.hpp"

#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>

#include "mpi_calls/mpi_call.hpp"
#include "shunt/error.hpp"
#include "shunt/shunt.h"

namespace shunt::c {

namespace {

using Sentence = std::array<char, 1280>;

Sentence& last_error() {
  thread_local Sentence sentence{};
  return sentence;
}

Failure failure_of(int error_class, const char* sentence) {
  Failure failure{error_class, {}};
  std::snprintf(failure.sentence.data(), failure.sentence.size(), "%s", sentence);
  return failure;
}

bool ends_the_program(MPI_Comm comm) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (MPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS) return false;
  bool fatal = handler == MPI_ERRORS_ARE_FATAL;
#if MPI_VERSION >= 4
  fatal = fatal || handler == MPI_ERRORS_ABORT;
#endif
  MPI_Errhandler_free(&handler);
  return fatal;
}

void call_handler(MPI_Comm comm, int error_class) {
  if (ends_the_program(comm)) std::fprintf(stderr, "%s\n", last_error().data());
  MPI_Comm_call_errhandler(comm, error_class);
}

/// Lends `handler` to a communicator of ours, as long as it lives.
class LentHandler {
 public:
  LentHandler(MPI_Comm comm, MPI_Errhandler handler) : comm_(comm) {
    MPI_Comm_set_errhandler(comm, handler);
  }
  ~LentHandler() { MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN); }
  LentHandler(const LentHandler&) = delete;
  LentHandler& operator=(const LentHandler&) = delete;

 private:
  MPI_Comm comm_;
};

}  // namespace

Failure current_failure() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return failure_of(mpi_error_class(error.kind()), error.what());
  } catch (const std::bad_alloc&) {
    return failure_of(MPI_ERR_NO_MEM, "there is not enough memory for this exchange");
  } catch (const std::length_error&) {
    return failure_of(MPI_ERR_NO_MEM, "there is not enough memory for this exchange");
  } catch (const std::exception& error) {
    return failure_of(MPI_ERR_OTHER, error.what());
  } catch (...) {
    return failure_of(MPI_ERR_OTHER, "something unknown was thrown");
  }
}

int report(const char* function, const ErrorTarget& target, const Failure& failure) {
  Sentence& sentence = last_error();
  int rank = -1;
  const bool running = mpi_is_running();
  const MPI_Comm comm = target.freed ? target.stand_in : target.comm;
  if (running && comm != MPI_COMM_NULL) MPI_Comm_rank(comm, &rank);
  if (rank < 0) {
    std::snprintf(sentence.data(), sentence.size(), "%s: %s", function, failure.sentence.data());
  } else {
    std::snprintf(sentence.data(), sentence.size(), "%s on rank %d: %s", function, rank,
                  failure.sentence.data());
  }
  if (!running) {
    // There is no handler to call, and most programs rely on one.
    std::fprintf(stderr, "%s\n", sentence.data());
  } else if (target.freed) {
    const LentHandler lent(comm, target.handler);
    call_handler(comm, failure.error_class);
  } else {
    call_handler(comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm, failure.error_class);
  }
  return failure.error_class;
}

}  // namespace shunt::c

const char* SHUNT_Last_error(void) { return shunt::c::last_error().data(); }
