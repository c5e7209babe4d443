#include "bindings/c/mpi_faults.hpp"

#include <algorithm>
#include <limits>

#include "bindings/element_type.hpp"
#include "model/or_nothing.hpp"
#include "mpi_calls/mpi_call.hpp"

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

/// It chooses its algorithm by the size of what is sent times the counts that are received: where
/// the ranks have different types, they choose differently.
bool differs_in_size(const Call& call, Rank /*ranks*/) {
  return call.send.buffer != MPI_IN_PLACE && element_type({call.send.type, "send"})->size !=
                                                 element_type({call.receive.type, "receive"})->size;
}

bool names_no_type(const Call& call, Rank ranks) {
  for (const SideArguments* side : {&call.send, &call.receive}) {
    if (side->buffer == MPI_IN_PLACE || side->types == nullptr) continue;
    const auto* const end = side->types + ranks;
    if (std::find(side->types, end, MPI_DATATYPE_NULL) != end) return true;
  }
  return false;
}

bool always(const Call& /*call*/, Rank /*ranks*/) { return true; }

bool is_dense(const TypeArgument& type) {
  const auto element = element_type(type);
  return element->size == 0 || (element->first == 0 && element->is_contiguous(2));
}

/// Whether the one length of a side's blocks is known to be no longer than 4 KiB.
bool is_short(const SideArguments& side) {
  constexpr Bytes kLongest = 4096;
  Bytes bytes = 0;
  const Bytes size = element_type({side.type, "given"})->size;
  return side.counts.bytes(0, size, bytes) && bytes <= kLongest;
}

/// Its algorithm for blocks of less than 512 or 1024 bytes, by the number of ranks, copies elements
/// of each type as if they were the other's.
bool has_gaps(const Call& call, Rank /*ranks*/) {
  if (call.send.buffer == MPI_IN_PLACE) return false;
  if (!is_short(call.send) || !is_short(call.receive)) return false;
  return !is_dense({call.send.type, "send"}) || !is_dense({call.receive.type, "receive"});
}

/// As programs call it that have nothing to send and two null pointers.
bool is_empty_alias(const Call& call, Rank ranks) {
  return call.send.buffer == call.receive.buffer && call.send.buffer != MPI_IN_PLACE &&
         !(has_elements(call.send.counts, ranks) && has_elements(call.receive.counts, ranks));
}

constexpr Rank kAnyNumber = std::numeric_limits<Rank>::max();

using Mpis = decltype(MpiFault::mpis);
constexpr Mpis kOpenMpi41{"Open MPI v4.1"};
constexpr Mpis kOpenMpi{"Open MPI v4.1", "Open MPI v5.0"};
constexpr Mpis kMpich40{"MPICH Version: 4.0"};
constexpr Mpis kMpich{"MPICH Version: 4.0", "MPICH Version: 4.2"};

constexpr MpiFault kFaults[] = {
    {kOpenMpi41, "MPI_Allgatherv", "a receive type without data, counts above 0", "hangs",
     Form::allgatherv, Remedy::another_way, 1, kAnyNumber, receives_nothing_often},
    {kOpenMpi, "MPI_Allgatherv", "types of different sizes on 3 ranks or more", "hangs",
     Form::allgatherv, Remedy::another_way, 3, kAnyNumber, differs_in_size},
    {kOpenMpi, "MPI_Alltoallw", "MPI_DATATYPE_NULL where a count is 0", "is refused",
     Form::alltoallw, Remedy::another_way, 1, kAnyNumber, names_no_type},
    {kOpenMpi41, "MPI_Alltoallw", "a communicator of one rank", "misplaces data", Form::alltoallw,
     Remedy::another_way, 1, 1, always},
    {kOpenMpi41, "MPI_Alltoall", "elements with gaps on 16 ranks or more", "misplaces data",
     Form::alltoall, Remedy::packed_copies, 16, kAnyNumber, has_gaps},
    {kMpich40, "MPI_Allgatherv", "a communicator of one rank", "ignores displacements",
     Form::allgatherv, Remedy::another_way, 1, 1, always},
    {kMpich, "MPI_Alltoallv", "both sides at one address, no data on one", "is refused",
     Form::alltoallv, Remedy::stand_ins, 1, kAnyNumber, is_empty_alias},
    {kMpich, "MPI_Alltoallw", "both sides at one address, no data on one", "is refused",
     Form::alltoallw, Remedy::stand_ins, 1, kAnyNumber, is_empty_alias},
};

/// Blanks may stand before the version.
bool is_named_by(const std::string& library, const MpiFault& fault) {
  std::string words;
  for (const char letter : library) {
    if (letter != ' ' || !words.ends_with(' ')) words += letter;
  }
  return std::ranges::any_of(
      fault.mpis, [&](std::string_view mpi) { return !mpi.empty() && words.starts_with(mpi); });
}

bool is_among(const MpiFault& fault, Form form, Rank ranks, Remedy remedy) {
  return fault.form == form && fault.remedy == remedy && fault.least_ranks <= ranks &&
         ranks <= fault.most_ranks;
}

}  // namespace

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

bool has_fault(Form form, Rank ranks, Remedy remedy) {
  return std::ranges::any_of(faults_of_this_mpi(), [=](const MpiFault* fault) {
    return is_among(*fault, form, ranks, remedy);
  });
}

bool meets_fault(const Call& call, Rank ranks, Remedy remedy) noexcept {
  return or_nothing([&] {
    return std::ranges::any_of(faults_of_this_mpi(), [&](const MpiFault* fault) {
      return is_among(*fault, call.form, ranks, remedy) && fault->is_met_by(call, ranks);
    });
  });
}

void give_stand_ins(Call& call) noexcept {
  static std::int64_t out = 0;
  static std::int64_t in = 0;
  int ranks = 0;
  if (MPI_Comm_size(call.comm, &ranks) != MPI_SUCCESS) return;
  if (!meets_fault(call, ranks, Remedy::stand_ins)) return;
  if (!has_elements(call.send.counts, ranks)) call.send.buffer = &out;
  if (!has_elements(call.receive.counts, ranks)) call.receive.buffer = &in;
}

}  // namespace shunt::c
