// The collectives of the C interface, each once and planned, with counts of int and beyond.
#include "bindings/c/request.hpp"
#include "bindings/c/sides.hpp"
#include "bindings/c/traced.hpp"
#include "bindings/functions.hpp"
#include "shunt/shunt.h"

using namespace shunt::c;

#define SHUNT_UNPACK(...) __VA_ARGS__

#define SHUNT_CALL(function, form, root, send_shape, send_names, receive_shape, receive_names)    \
  {                                                                                               \
    function, Form::form, send_shape##_side send_names, receive_shape##_side receive_names, comm, \
        root                                                                                      \
  }

#define SHUNT_DEFINE(function, planned, form, root, parameters, ...)                \
  int function parameters {                                                         \
    return make_traced_exchange(SHUNT_CALL(#function, form, root, __VA_ARGS__));    \
  }                                                                                 \
  int planned(SHUNT_UNPACK parameters, MPI_Info /*info*/, SHUNT_Request* request) { \
    return make_request(SHUNT_CALL(#planned, form, root, __VA_ARGS__), request);    \
  }

#define SHUNT_DEFINE_SHORT(name, form, kind, root, parameters, names, ...) \
  SHUNT_DEFINE(SHUNT_##name, SHUNT_##name##_init, form, root, parameters, __VA_ARGS__)
#define SHUNT_DEFINE_WIDE(name, form, kind, root, parameters, names, ...) \
  SHUNT_DEFINE(SHUNT_##name##_c, SHUNT_##name##_init_c, form, root, parameters, __VA_ARGS__)

extern "C" {
SHUNT_EACH_FUNCTION(SHUNT_DEFINE_SHORT)
SHUNT_EACH_WIDE_FUNCTION(SHUNT_DEFINE_WIDE)
}
