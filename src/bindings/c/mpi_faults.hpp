// Faults of MPI libraries that programs can meet, and what Shunt does about them.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "bindings/c/arguments.hpp"

namespace shunt::c {

/// What Shunt does where a call meets a fault.
enum class Remedy {
  another_way,   ///< "auto" does not take MPI's own function: the ranks agree on that
  stand_ins,     ///< this rank gives MPI's own function addresses that are not used
  packed_copies  ///< this rank gives MPI's own function packed copies
};

struct MpiFault {
  std::array<std::string_view, 2> mpis;  ///< how the libraries' own names and versions begin
  std::string_view function;             ///< of MPI, without "_c"
  std::string_view meets;                ///< which calls meet it
  std::string_view happens;              ///< what happens in MPI's own function
  Form form;
  Remedy remedy;
  Rank least_ranks;  ///< of a communicator on which it occurs
  Rank most_ranks;
  /// Whether a call with these arguments of one rank meets it. Local.
  bool (*is_met_by)(const Call& call, Rank ranks);
};

/// The faults of the MPI library that runs.
[[nodiscard]] const std::vector<const MpiFault*>& faults_of_this_mpi();

/// Whether a function has a fault with this remedy on communicators of `ranks` ranks.
[[nodiscard]] bool has_fault(Form form, Rank ranks, Remedy remedy);

/// Whether this rank's arguments meet a fault with this remedy. Local. Arguments that cannot be
/// read meet none.
[[nodiscard]] bool meets_fault(const Call& call, Rank ranks, Remedy remedy) noexcept;

/// Replaces a buffer without data by an address that is neither read nor written, where MPI's own
/// function refuses the address that both buffers have. Local.
void give_stand_ins(Call& call) noexcept;

}  // namespace shunt::c
