#include "bindings/c/mpi_faults.hpp"

#include <algorithm>
#include <exception>

#include "bindings/element_type.hpp"
#include "exchange/mpi_call.hpp"

namespace shunt::c {

namespace {

bool has_elements(const Integers& counts, Rank ranks) {
  if (counts.is_null()) return false;
  for (Rank peer = 0; peer < ranks; ++peer) {
    if (counts[index_of(peer)] > 0) return true;
  }
  return false;
}

bool receives_nothing_often(const Call& call, Rank ranks) {
  return element_type({call.receive.type, "receive"})->size == 0 &&
         has_elements(call.receive.counts, ranks);
}

bool names_no_type(const Call& call, Rank ranks) {
  for (const SideArguments* side : {&call.send, &call.receive}) {
    if (side->buffer == MPI_IN_PLACE || side->types == nullptr) continue;
    const auto* const end = side->types + ranks;
    if (std::find(side->types, end, MPI_DATATYPE_NULL) != end) return true;
  }
  return false;
}

bool is_of_one_rank(const Call& /*call*/, Rank ranks) { return ranks == 1; }

bool interleaves(const Call& call, Rank /*ranks*/) {
  const auto element = element_type({call.receive.type, "receive"});
  return element->extent < element->span && call.receive.counts[0] > 1;
}

bool has_null_buffers(const Call& call, Rank ranks) {
  return call.send.buffer == nullptr && call.receive.buffer == nullptr &&
         !has_elements(call.receive.counts, ranks);
}

constexpr MpiFault kFaults[] = {
    {"Open MPI v4.1", "MPI_Allgatherv", "a receive type without data, counts above 0", "hangs",
     Form::allgatherv, receives_nothing_often},
    {"Open MPI v4.1", "MPI_Alltoallw", "MPI_DATATYPE_NULL where a count is 0", "is refused",
     Form::alltoallw, names_no_type},
    {"Open MPI v4.1", "MPI_Alltoallw", "a communicator of one rank", "misplaces data",
     Form::alltoallw, is_of_one_rank},
    {"Open MPI v4.1", "MPI_Alltoall", "receive elements that lie among each other", "varies",
     Form::alltoall, interleaves},
    {"MPICH Version: 4.0", "MPI_Allgatherv", "a communicator of one rank", "ignores displacements",
     Form::allgatherv, is_of_one_rank},
    {"MPICH Version: 4.0", "MPI_Alltoall", "null buffers, counts of 0", "is refused",
     Form::alltoall, has_null_buffers},
    {"MPICH Version: 4.0", "MPI_Allgather", "null buffers, counts of 0", "is refused",
     Form::allgather, has_null_buffers},
};

/// Blanks may stand before the version.
bool is_named_by(const std::string& library, const MpiFault& fault) {
  std::string words;
  for (const char letter : library) {
    if (letter != ' ' || !words.ends_with(' ')) words += letter;
  }
  return words.starts_with(fault.mpi);
}

}  // namespace

std::span<const MpiFault> mpi_faults() { return kFaults; }

const std::vector<const MpiFault*>& faults_of_this_mpi() {
  static const std::vector<const MpiFault*> kOwn = [] {
    const std::string library = mpi_library();
    std::vector<const MpiFault*> own;
    for (const MpiFault& fault : kFaults) {
      if (is_named_by(library, fault)) own.push_back(&fault);
    }
    return own;
  }();
  return kOwn;
}

bool has_fault(Form form) {
  return std::ranges::any_of(faults_of_this_mpi(),
                             [=](const MpiFault* fault) { return fault->form == form; });
}

bool meets_fault(const Call& call, Rank ranks) noexcept {
  try {
    return std::ranges::any_of(faults_of_this_mpi(), [&](const MpiFault* fault) {
      return fault->form == call.form && fault->is_met_by(call, ranks);
    });
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace shunt::c
