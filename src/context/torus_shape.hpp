// Which torus the ranks of a communicator are.
#pragma once

#include <optional>

#include <mpi.h>

#include "context/progress.hpp"
#include "model/machine.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// The extents of a Cartesian communicator; nothing for others, and under SMPI, which cannot say.
/// Local.
[[nodiscard]] std::optional<Extents> cartesian_shape(MPI_Comm comm);

/// Collective. The torus that SHUNT_TORUS ("16x16") names on rank 0, if it has so many `ranks`;
/// else the `grid` of a Cartesian communicator, whether its dimensions are periodic or not; else
/// nothing. All ranks have the same answer. Throws Error(argument) on all of them where SHUNT_TORUS
/// on rank 0 names no torus.
[[nodiscard]] std::optional<Extents> torus_of(const Progress& progress, Rank ranks,
                                              const std::optional<Extents>& grid);

}  // namespace shunt
