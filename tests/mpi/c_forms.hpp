// All forms in which the C interface makes the same exchange.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "environment/environment.hpp"
#include "mpi/typed_memory.hpp"
#include "shunt/shunt.h"
#include "shunt/types.hpp"
#include "support/variable.hpp"

namespace shunt::test {

/// A variable of the environment for the length of a scope, which the library knows.
class ChosenVariable {
 public:
  ChosenVariable(const char* name, const char* value) : variable_(std::in_place, name, value) {
    environment() = read_environment();
  }
  ~ChosenVariable() {
    variable_.reset();
    environment() = read_environment();
  }
  ChosenVariable(const ChosenVariable&) = delete;
  ChosenVariable& operator=(const ChosenVariable&) = delete;

 private:
  std::optional<Variable> variable_;
};

/// One side of an exchange of elements of one type; places in elements. In place: only a buffer. An
/// empty array is a null pointer.
struct CSide {
  const void* buffer;
  std::vector<Bytes> counts;
  std::vector<Bytes> places;
  MPI_Datatype type;
  bool has_types = true;  ///< where each block has its own

  static CSide in_place() { return {MPI_IN_PLACE, {}, {}, MPI_DATATYPE_NULL, true}; }
};

inline CSide as_argument(Side& side, MPI_Datatype type) {
  return {side.origin(), side.layout().counts, side.layout().displacements, type};
}

/// A side as a function takes it; nothing of it is there if the exchange is in place.
template <class Count, class Place>
struct CArrays {
  explicit CArrays(const CSide& side)
      : count_values(side.counts.begin(), side.counts.end()),
        place_values(side.places.begin(), side.places.end()),
        type_values(side.counts.size(), side.type) {
    MPI_Aint bound = 0;
    MPI_Aint extent = 0;
    if (side.type != MPI_DATATYPE_NULL) MPI_Type_get_extent(side.type, &bound, &extent);
    for (const Bytes place : side.places) {
      byte_values.push_back(static_cast<Place>(place * extent));
    }
    if (!side.counts.empty()) counts = count_values.data();
    if (!side.counts.empty() && side.has_types) types = type_values.data();
    if (side.places.empty()) return;
    places = place_values.data();
    byte_places = byte_values.data();
  }
  CArrays(const CArrays&) = delete;
  CArrays& operator=(const CArrays&) = delete;

  const Count* counts = nullptr;
  const Place* places = nullptr;
  const Place* byte_places = nullptr;
  const MPI_Datatype* types = nullptr;

 private:
  std::vector<Count> count_values;
  std::vector<Place> place_values;
  std::vector<Place> byte_values;
  std::vector<MPI_Datatype> type_values;
};

using IntArrays = CArrays<int, int>;
using WideArrays = CArrays<MPI_Count, MPI_Aint>;

/// Executes a persistent request once and frees it; `made` is what making it returned.
inline int execute(int made, SHUNT_Request& request) {
  if (made != MPI_SUCCESS) return made;
  const int started = SHUNT_Start(&request);
  if (started != MPI_SUCCESS) return started;
  const int waited = SHUNT_Wait(&request, MPI_STATUS_IGNORE);
  if (waited != MPI_SUCCESS) return waited;
  return SHUNT_Request_free(&request);
}

struct CForm {
  const char* name;
  int (*call)(const CSide& out, const CSide& in, MPI_Comm comm);
};

inline void* memory_of(const CSide& side) { return const_cast<void*>(side.buffer); }

inline constexpr CForm kCForms[] = {
    {"alltoallv",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       const IntArrays s(out);
       const IntArrays r(in);
       return SHUNT_Alltoallv(out.buffer, s.counts, s.places, out.type, memory_of(in), r.counts,
                              r.places, in.type, comm);
     }},
    {"alltoallv_c",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       const WideArrays s(out);
       const WideArrays r(in);
       return SHUNT_Alltoallv_c(out.buffer, s.counts, s.places, out.type, memory_of(in), r.counts,
                                r.places, in.type, comm);
     }},
    {"alltoallw",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       const IntArrays s(out);
       const IntArrays r(in);
       return SHUNT_Alltoallw(out.buffer, s.counts, s.byte_places, s.types, memory_of(in), r.counts,
                              r.byte_places, r.types, comm);
     }},
    {"alltoallw_c",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       const WideArrays s(out);
       const WideArrays r(in);
       return SHUNT_Alltoallw_c(out.buffer, s.counts, s.byte_places, s.types, memory_of(in),
                                r.counts, r.byte_places, r.types, comm);
     }},
    {"alltoallv_init",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       const IntArrays s(out);
       const IntArrays r(in);
       SHUNT_Request request = SHUNT_REQUEST_NULL;
       return execute(
           SHUNT_Alltoallv_init(out.buffer, s.counts, s.places, out.type, memory_of(in), r.counts,
                                r.places, in.type, comm, MPI_INFO_NULL, &request),
           request);
     }},
    {"alltoallv_init_c",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       const WideArrays s(out);
       const WideArrays r(in);
       SHUNT_Request request = SHUNT_REQUEST_NULL;
       return execute(
           SHUNT_Alltoallv_init_c(out.buffer, s.counts, s.places, out.type, memory_of(in), r.counts,
                                  r.places, in.type, comm, MPI_INFO_NULL, &request),
           request);
     }},
    {"alltoallw_init",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       const IntArrays s(out);
       const IntArrays r(in);
       SHUNT_Request request = SHUNT_REQUEST_NULL;
       return execute(
           SHUNT_Alltoallw_init(out.buffer, s.counts, s.byte_places, s.types, memory_of(in),
                                r.counts, r.byte_places, r.types, comm, MPI_INFO_NULL, &request),
           request);
     }},
    {"alltoallw_init_c",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       const WideArrays s(out);
       const WideArrays r(in);
       SHUNT_Request request = SHUNT_REQUEST_NULL;
       return execute(
           SHUNT_Alltoallw_init_c(out.buffer, s.counts, s.byte_places, s.types, memory_of(in),
                                  r.counts, r.byte_places, r.types, comm, MPI_INFO_NULL, &request),
           request);
     }},
};

/// The same for SHUNT_Alltoall, which takes the first count only.
inline constexpr CForm kEqualForms[] = {
    {"alltoall",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       const int sent = out.counts.empty() ? 0 : static_cast<int>(out.counts[0]);
       return SHUNT_Alltoall(out.buffer, sent, out.type, memory_of(in),
                             static_cast<int>(in.counts[0]), in.type, comm);
     }},
    {"alltoall_c",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       return SHUNT_Alltoall_c(out.buffer, out.counts.empty() ? 0 : out.counts[0], out.type,
                               memory_of(in), in.counts[0], in.type, comm);
     }},
    {"alltoall_init",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       const int sent = out.counts.empty() ? 0 : static_cast<int>(out.counts[0]);
       SHUNT_Request request = SHUNT_REQUEST_NULL;
       return execute(SHUNT_Alltoall_init(out.buffer, sent, out.type, memory_of(in),
                                          static_cast<int>(in.counts[0]), in.type, comm,
                                          MPI_INFO_NULL, &request),
                      request);
     }},
    {"alltoall_init_c",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       SHUNT_Request request = SHUNT_REQUEST_NULL;
       return execute(SHUNT_Alltoall_init_c(out.buffer, out.counts.empty() ? 0 : out.counts[0],
                                            out.type, memory_of(in), in.counts[0], in.type, comm,
                                            MPI_INFO_NULL, &request),
                      request);
     }},
};

}  // namespace shunt::test
