#include "bindings/c/request.hpp"

#include <fmt/format.h>

#include "bindings/c/exchange.hpp"
#include "bindings/c/report.hpp"
#include "mpi_calls/attribute.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "shunt/error.hpp"

/// What a SHUNT_Request points to.
struct SHUNT_Request_s {
  SHUNT_Request_s() = default;
  SHUNT_Request_s(const SHUNT_Request_s&) = delete;
  SHUNT_Request_s& operator=(const SHUNT_Request_s&) = delete;
  ~SHUNT_Request_s() {
    if (handler != MPI_ERRHANDLER_NULL && shunt::mpi_is_running()) MPI_Errhandler_free(&handler);
  }

  std::shared_ptr<shunt::Context> context;
  MPI_Comm comm = MPI_COMM_NULL;  ///< the caller's, which may be freed before the request is
  std::shared_ptr<const bool> freed;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;           ///< that the communicator had at first
  std::unique_ptr<shunt::Plan::Implementation> exchange;  ///< null once it has failed
  bool under_way = false;
};

namespace shunt::c {

namespace {

/// Hangs on a communicator, to tell when it is freed.
struct EndNote {
  EndNote() = default;
  EndNote(const EndNote&) = delete;
  EndNote& operator=(const EndNote&) = delete;
  ~EndNote() { *freed = true; }

  std::shared_ptr<bool> freed = std::make_shared<bool>(false);
};

/// Becomes true when `comm` is freed.
std::shared_ptr<const bool> end_of(MPI_Comm comm) {
  using KeptNote = Attribute<OnCommunicator, EndNote>;
  if (const EndNote* known = KeptNote::find(comm)) return known->freed;
  return KeptNote::attach(comm, std::make_unique<EndNote>()).freed;
}

ErrorTarget target_of(const SHUNT_Request* request) {
  if (request == nullptr || *request == SHUNT_REQUEST_NULL) return {MPI_COMM_NULL};
  const SHUNT_Request_s& known = **request;
  return {known.comm, *known.freed, known.context->comm(), known.handler};
}

SHUNT_Request_s& expect_request(SHUNT_Request* request) {
  expect_pointer(request, "request");
  if (*request == SHUNT_REQUEST_NULL) {
    throw Error(ErrorKind::request, "the request is SHUNT_REQUEST_NULL");
  }
  return **request;
}

void set_empty(MPI_Status* status) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = MPI_ANY_SOURCE;
  status->MPI_TAG = MPI_ANY_TAG;
  status->MPI_ERROR = MPI_SUCCESS;
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
}

/// `step(exchange)`, after which the request is no longer under way if it returns true. An exchange
/// that has failed cannot go on: messages of it may be anywhere.
template <class Step>
void advance(SHUNT_Request_s& request, Step&& step) {
  try {
    if (step(*request.exchange)) request.under_way = false;
  } catch (...) {
    request.exchange.reset();
    request.under_way = false;
    throw;
  }
}

}  // namespace

void expect_pointer(const void* pointer, const char* name) {
  if (pointer != nullptr) return;
  throw Error(ErrorKind::argument, fmt::format("the pointer to the {} is null", name));
}

int make_request(const char* function, MPI_Comm comm,
                 const std::function<std::unique_ptr<Plan::Implementation>()>& make,
                 SHUNT_Request* request) {
  if (request != nullptr) *request = SHUNT_REQUEST_NULL;
  return guarded(function, {comm}, [&] {
    std::unique_ptr<Plan::Implementation> exchange = make();
    auto made = std::make_unique<SHUNT_Request_s>();
    made->comm = comm;
    made->freed = end_of(comm);
    check_mpi(MPI_Comm_get_errhandler(comm, &made->handler), "MPI_Comm_get_errhandler");
    made->context = Context::of(comm);
    made->exchange = std::move(exchange);
    *request = made.release();
  });
}

int make_request(const Call& call, SHUNT_Request* request) {
  return make_request(
      call.function, call.comm, [&] { return plan_exchange(call, request); }, request);
}

}  // namespace shunt::c

int SHUNT_Start(SHUNT_Request* request) {
  using namespace shunt::c;
  return guarded("SHUNT_Start", target_of(request), [&] {
    SHUNT_Request_s& known = expect_request(request);
    if (known.under_way) {
      throw shunt::Error(shunt::ErrorKind::request,
                         "the request is under way: wait for it before it is started again");
    }
    if (!known.exchange) {
      throw shunt::Error(shunt::ErrorKind::request,
                         "the request has failed before; it can only be freed");
    }
    known.under_way = true;
    advance(known, [](auto& exchange) {
      exchange.start();
      return false;
    });
  });
}

int SHUNT_Wait(SHUNT_Request* request, MPI_Status* status) {
  using namespace shunt::c;
  return guarded("SHUNT_Wait", target_of(request), [&] {
    expect_pointer(request, "request");
    if (*request != SHUNT_REQUEST_NULL && (*request)->under_way) {
      advance(**request, [](auto& exchange) {
        exchange.wait();
        return true;
      });
    }
    set_empty(status);
  });
}

int SHUNT_Test(SHUNT_Request* request, int* flag, MPI_Status* status) {
  using namespace shunt::c;
  return guarded("SHUNT_Test", target_of(request), [&] {
    expect_pointer(request, "request");
    expect_pointer(flag, "flag");
    *flag = 0;
    if (*request != SHUNT_REQUEST_NULL && (*request)->under_way) {
      advance(**request, [](auto& exchange) { return exchange.test(); });
    }
    if (*request != SHUNT_REQUEST_NULL && (*request)->under_way) return;
    *flag = 1;
    set_empty(status);
  });
}

int SHUNT_Request_free(SHUNT_Request* request) {
  using namespace shunt::c;
  return guarded("SHUNT_Request_free", target_of(request), [&] {
    if (expect_request(request).under_way) {
      throw shunt::Error(shunt::ErrorKind::request,
                         "the request is under way: wait for it before it is freed");
    }
    delete *request;
    *request = SHUNT_REQUEST_NULL;
  });
}
