// All forms in which the C interface makes the same all-gather from many sources.
#pragma once

#include "mpi/c_forms.hpp"

namespace shunt::test {

/// What is sent has one count; in place it has none.
template <class Count>
[[nodiscard]] Count sent_by(const CSide& out) {
  return out.counts.empty() ? 0 : static_cast<Count>(out.counts[0]);
}

template <class Arrays, class Count, class Function>
int gather(Function function, const CSide& out, const CSide& in, MPI_Comm comm) {
  const Arrays r(in);
  return function(out.buffer, sent_by<Count>(out), out.type, memory_of(in), r.counts, r.places,
                  in.type, comm);
}

template <class Arrays, class Count, class Function>
int plan_gather(Function function, const CSide& out, const CSide& in, MPI_Comm comm) {
  const Arrays r(in);
  SHUNT_Request request = SHUNT_REQUEST_NULL;
  return execute(function(out.buffer, sent_by<Count>(out), out.type, memory_of(in), r.counts,
                          r.places, in.type, comm, MPI_INFO_NULL, &request),
                 request);
}

inline constexpr CForm kGatherForms[] = {
    {"allgatherv",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       return gather<IntArrays, int>(SHUNT_Allgatherv, out, in, comm);
     }},
    {"allgatherv_c",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       return gather<WideArrays, MPI_Count>(SHUNT_Allgatherv_c, out, in, comm);
     }},
    {"allgatherv_init",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       return plan_gather<IntArrays, int>(SHUNT_Allgatherv_init, out, in, comm);
     }},
    {"allgatherv_init_c",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       return plan_gather<WideArrays, MPI_Count>(SHUNT_Allgatherv_init_c, out, in, comm);
     }},
};

inline constexpr CForm kEqualGatherForms[] = {
    {"allgather",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       return SHUNT_Allgather(out.buffer, sent_by<int>(out), out.type, memory_of(in),
                              static_cast<int>(in.counts[0]), in.type, comm);
     }},
    {"allgather_c",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       return SHUNT_Allgather_c(out.buffer, sent_by<MPI_Count>(out), out.type, memory_of(in),
                                in.counts[0], in.type, comm);
     }},
    {"allgather_init",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       SHUNT_Request request = SHUNT_REQUEST_NULL;
       return execute(SHUNT_Allgather_init(out.buffer, sent_by<int>(out), out.type, memory_of(in),
                                           static_cast<int>(in.counts[0]), in.type, comm,
                                           MPI_INFO_NULL, &request),
                      request);
     }},
    {"allgather_init_c",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       SHUNT_Request request = SHUNT_REQUEST_NULL;
       return execute(
           SHUNT_Allgather_init_c(out.buffer, sent_by<MPI_Count>(out), out.type, memory_of(in),
                                  in.counts[0], in.type, comm, MPI_INFO_NULL, &request),
           request);
     }},
};

}  // namespace shunt::test
