#include "context/torus_shape.hpp"

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "mpi_calls/mpi_call.hpp"
#include "mpi_calls/simulated.hpp"

namespace shunt {

namespace {

std::optional<Extents> torus_named(const std::string& name) {
  if (name.empty()) return std::nullopt;
  try {
    return Extents::parse(name);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("SHUNT_TORUS: {}", error.what()));
  }
}

}  // namespace

std::optional<Extents> cartesian_shape(MPI_Comm comm) {
  if constexpr (kSimulated) return std::nullopt;
  int topology = MPI_UNDEFINED;
  check_mpi(MPI_Topo_test(comm, &topology), "MPI_Topo_test");
  if (topology != MPI_CART) return std::nullopt;
  int dimensions = 0;
  check_mpi(MPI_Cartdim_get(comm, &dimensions), "MPI_Cartdim_get");
  if (dimensions == 0) return std::nullopt;
  std::vector<int> extents(static_cast<std::size_t>(dimensions));
  std::vector<int> periods(extents.size());
  std::vector<int> coordinates(extents.size());
  check_mpi(MPI_Cart_get(comm, dimensions, extents.data(), periods.data(), coordinates.data()),
            "MPI_Cart_get");
  return Extents(std::move(extents));
}

std::optional<Extents> torus_of(const Progress& progress, Rank ranks,
                                const std::optional<Extents>& grid) {
  const char* own = std::getenv("SHUNT_TORUS");
  std::optional<Extents> named = torus_named(progress.broadcast_text(own == nullptr ? "" : own));
  if (named && named->ranks() == ranks) return named;
  return grid;
}

}  // namespace shunt
