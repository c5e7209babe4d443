#include "exchange/torus_shape.hpp"

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "exchange/mpi_call.hpp"
#include "model/narrow.hpp"

namespace shunt {

namespace {

void broadcast(const YardState& yard, void* data, int bytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibcast(data, bytes, MPI_BYTE, 0, yard.comm(), &request), "MPI_Ibcast");
  yard.complete(request);
}

/// SHUNT_TORUS of rank 0, on all ranks; empty where it is not set.
std::string name_on_first(const YardState& yard) {
  const char* own = std::getenv("SHUNT_TORUS");
  std::string name = own == nullptr ? "" : own;
  auto length = narrow<int>(name.size(), "the length of SHUNT_TORUS");
  broadcast(yard, &length, sizeof length);
  name.resize(static_cast<std::size_t>(length));
  if (length > 0) broadcast(yard, name.data(), length);
  return name;
}

std::optional<Extents> torus_named(const std::string& name) {
  if (name.empty()) return std::nullopt;
  try {
    return Extents::parse(name);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("SHUNT_TORUS: {}", error.what()));
  }
}

/// The shape of a Cartesian communicator; a duplicate has that of its original.
std::optional<Extents> cartesian_shape(MPI_Comm comm) {
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

}  // namespace

std::optional<Extents> torus_of(const YardState& yard) {
  std::optional<Extents> named = torus_named(name_on_first(yard));
  if (named && named->ranks() == yard.ranks()) return named;
  return cartesian_shape(yard.comm());
}

}  // namespace shunt
