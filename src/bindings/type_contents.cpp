#include "bindings/type_contents.hpp"

#include <algorithm>

#include "mpi_calls/mpi_call.hpp"

namespace shunt {

namespace {

/// How many numbers and types a datatype was made of. Where MPI has functions for large counts,
/// only these answer for all datatypes.
struct Envelope {
#if MPI_VERSION >= 4
  using Count = MPI_Count;
#else
  using Count = int;
#endif

  explicit Envelope(MPI_Datatype type) {
#if MPI_VERSION >= 4
    check_mpi(MPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner),
              "MPI_Type_get_envelope_c");
#else
    check_mpi(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner),
              "MPI_Type_get_envelope");
#endif
  }

  /// Such a type has no contents, and must not be freed.
  [[nodiscard]] bool is_predefined() const {
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
  }

  Count integers = 0;
  Count addresses = 0;
  Count counts = 0;
  Count types = 0;
  int combiner = MPI_COMBINER_NAMED;
};

/// How many of the integers come before the large counts among a constructor's arguments.
std::size_t before_counts(int combiner) {
  if (combiner == MPI_COMBINER_SUBARRAY) return 1;
  return combiner == MPI_COMBINER_DARRAY ? 3 : 0;
}

}  // namespace

TypeContents::TypeContents(MPI_Datatype type) {
  const Envelope envelope(type);
  combiner_ = envelope.combiner;
  predefined_ = envelope.is_predefined();
  if (predefined_) return;
  std::vector<int> integers(static_cast<std::size_t>(envelope.integers));
  std::vector<MPI_Aint> addresses(static_cast<std::size_t>(envelope.addresses));
  std::vector<MPI_Count> counts(static_cast<std::size_t>(envelope.counts));
  types_.resize(static_cast<std::size_t>(envelope.types), MPI_DATATYPE_NULL);
#if MPI_VERSION >= 4
  check_mpi(MPI_Type_get_contents_c(type, envelope.integers, envelope.addresses, envelope.counts,
                                    envelope.types, integers.data(), addresses.data(),
                                    counts.data(), types_.data()),
            "MPI_Type_get_contents_c");
#else
  check_mpi(MPI_Type_get_contents(type, envelope.integers, envelope.addresses, envelope.types,
                                  integers.data(), addresses.data(), types_.data()),
            "MPI_Type_get_contents");
#endif
  // SimGrid's SMPI tells of structures as indexed types, with their addresses.
  if (combiner_ == MPI_COMBINER_INDEXED && !addresses.empty()) combiner_ = MPI_COMBINER_STRUCT;
  const std::size_t before = counts.empty() ? 0 : before_counts(combiner_);
  const auto middle = integers.begin() + static_cast<std::ptrdiff_t>(before);
  numbers_.assign(integers.begin(), middle);
  numbers_.insert(numbers_.end(), counts.begin(), counts.end());
  numbers_.insert(numbers_.end(), middle, integers.end());
  numbers_.insert(numbers_.end(), addresses.begin(), addresses.end());
}

TypeContents::~TypeContents() {
  for (MPI_Datatype& type : types_) {
    if (!Envelope(type).is_predefined()) MPI_Type_free(&type);
  }
}

}  // namespace shunt
