// The functions of MPI that programs find here instead of there, by the names MPI_X and PMPI_X.
#include <mpi.h>

#include "bindings/c/sides.hpp"
#include "interpose/intercepted_call.hpp"
#include "interpose/next.hpp"
#include "interpose/report.hpp"
#include "interpose/strangers.hpp"

using namespace shunt::c;
using namespace shunt::interpose;

#define SHUNT_UNPACK(...) __VA_ARGS__

#define SHUNT_CALL(name, form, root, send_shape, send_names, receive_shape, receive_names)      \
  {                                                                                             \
    "MPI_" #name, Form::form, send_shape##_side send_names, receive_shape##_side receive_names, \
        comm, root                                                                              \
  }

/// MPI's own function, with the sides of a call in its own copies of the arguments: the call refers
/// to those of the program.
#define SHUNT_NATIVE(name, names, send_shape, send_names, receive_shape, receive_names) \
  [=](const Call& call) mutable {                                                       \
    give_back(call.send, SHUNT_UNPACK send_names);                                      \
    give_back(call.receive, SHUNT_UNPACK receive_names);                                \
    return next().name.own names;                                                       \
  }

/// MPI_`name` and PMPI_`name`.
#define SHUNT_INTERCEPT(name, form, kind, root, parameters, names, ...)                      \
  int MPI_##name parameters {                                                                \
    if (auto* const tool = next().name.tool)                                                 \
      return call_tool("MPI_" #name, tool, SHUNT_UNPACK names);                              \
    return intercept(SHUNT_CALL(name, form, root, __VA_ARGS__), __builtin_return_address(0), \
                     SHUNT_NATIVE(name, names, __VA_ARGS__));                                \
  }                                                                                          \
  int PMPI_##name parameters {                                                               \
    came_back = true;                                                                        \
    const void* const caller = __builtin_return_address(0);                                  \
    if (!is_on_its_way(caller)) return next().name.own names;                                \
    return intercept(SHUNT_CALL(name, form, root, __VA_ARGS__), caller,                      \
                     SHUNT_NATIVE(name, names, __VA_ARGS__));                                \
  }

/// MPI_`name` and PMPI_`name` that go on to MPI at once.
#define SHUNT_PASS(name, parameters, names)                     \
  int MPI_##name parameters {                                   \
    if (auto* const tool = next().name.tool)                    \
      return call_tool("MPI_" #name, tool, SHUNT_UNPACK names); \
    return next().name.own names;                               \
  }                                                             \
  int PMPI_##name parameters {                                  \
    came_back = true;                                           \
    return next().name.own names;                               \
  }

#define SHUNT_INTERCEPT_WIDE(name, ...) SHUNT_INTERCEPT(name##_c, __VA_ARGS__)
#define SHUNT_PASS_WIDE(name, ...) SHUNT_PASS(name##_c, __VA_ARGS__)

namespace {

int end_by(int (*finalize)()) {
  report_misspelt();
  report_end();
  const NoTraceReport report;
  expect_end();
  const int code = finalize();
  report.say_if_so();
  return code;
}

}  // namespace

extern "C" {

SHUNT_EACH_FUNCTION(SHUNT_INTERCEPT)
SHUNT_EACH_PASSED(SHUNT_PASS)
SHUNT_EACH_WIDE_OF_MPI(SHUNT_INTERCEPT_WIDE, SHUNT_PASS_WIDE)

int MPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm* newintracomm) {
  has_merged.store(true, std::memory_order_relaxed);
  auto* const tool = next().Intercomm_merge.tool;
  auto* const merge = tool != nullptr ? tool : next().Intercomm_merge.own;
  return merge(intercomm, high, newintracomm);
}

int PMPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm* newintracomm) {
  has_merged.store(true, std::memory_order_relaxed);
  return next().Intercomm_merge.own(intercomm, high, newintracomm);
}

/// Nothing but the last moment at which the ranks can tell each other what they did. From here on
/// MPI may end in any call.
int MPI_Finalize() {
  auto* const tool = next().Finalize.tool;
  return end_by(tool != nullptr ? tool : next().Finalize.own);
}

/// What Fortran and tools call.
int PMPI_Finalize() { return end_by(next().Finalize.own); }

}  // extern "C"
