// Faults of MPI libraries that programs can meet, and what Shunt does about them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "bindings/c/arguments.hpp"

namespace shunt::c {

struct MpiFault {
  std::string_view mpi;       ///< how the library's own name and version begin
  std::string_view function;  ///< of MPI, without "_c"
  std::string_view meets;     ///< which calls meet it
  std::string_view happens;   ///< what happens in MPI's own function
  Form form;
  /// Whether a call with these arguments of one rank meets it. Local.
  bool (*is_met_by)(const Call& call, Rank ranks);
};

/// All that are known, by MPI library.
[[nodiscard]] std::span<const MpiFault> mpi_faults();

/// The faults of the MPI library that runs.
[[nodiscard]] const std::vector<const MpiFault*>& faults_of_this_mpi();

/// Whether the function that is called has one of them.
[[nodiscard]] bool has_fault(Form form);

/// Whether this rank's arguments meet one of them: "auto" does not take MPI's own function where
/// those of any rank do. Local. Arguments that cannot be read meet none.
[[nodiscard]] bool meets_fault(const Call& call, Rank ranks) noexcept;

}  // namespace shunt::c
