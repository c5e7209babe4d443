#include "bindings/element_type.hpp"

#include <mutex>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "bindings/follow_type.hpp"
#include "mpi_calls/at_finalize.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

std::string name_of(const TypeArgument& argument) {
  if (argument.peer == kNoRank) return fmt::format("the {} type", argument.side);
  return fmt::format("{} type {}", argument.side, argument.peer);
}

/// A communicator of this process alone whose errors are returned, so that what is wrong with a
/// type concerns nobody's error handler. It is no duplicate: nothing of the program's is copied.
MPI_Comm make_asking_comm() {
  MPI_Group self = MPI_GROUP_NULL;
  check_mpi(MPI_Comm_group(MPI_COMM_SELF, &self), "MPI_Comm_group");
  MPI_Comm comm = MPI_COMM_NULL;
  check_mpi(MPI_Comm_create(MPI_COMM_SELF, self, &comm), "MPI_Comm_create");
  check_mpi(MPI_Group_free(&self), "MPI_Group_free");
  check_mpi(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  at_finalize([comm]() mutable { MPI_Comm_free(&comm); });
  return comm;
}

/// Packing nothing is a use that MPI allows for committed types only.
void expect_committed(const TypeArgument& argument) {
  static MPI_Comm comm = make_asking_comm();
  std::byte nothing{};
  int position = 0;
  const int code = MPI_Pack(&nothing, 0, argument.type, &nothing, 1, &position, comm);
  if (code == MPI_SUCCESS) return;
  throw Error(ErrorKind::type,
              fmt::format("{} is not a datatype that MPI can pack: it must be committed by "
                          "MPI_Type_commit",
                          name_of(argument)));
}

ElementType find_out(MPI_Datatype type, const TypeArgument& argument) {
  MPI_Count size = 0;
  MPI_Count bound = 0;
  MPI_Count extent = 0;
  check_mpi(MPI_Type_size_x(type, &size), "MPI_Type_size_x");
  check_mpi(MPI_Type_get_extent_x(type, &bound, &extent), "MPI_Type_get_extent_x");
  if (size < 0) {
    throw Error(ErrorKind::type,
                fmt::format("{} has more bytes than MPI can count in 64 bits", name_of(argument)));
  }
  TypeMapPointer map = follow(type);
  // A type that was followed wrongly must not be packed by that.
  if (map->size() != size) {
    throw Error(ErrorKind::type,
                fmt::format("{} has {} bytes by what it was made of, and {} by MPI_Type_size",
                            name_of(argument), map->size(), size));
  }
  return {size, extent, map->first(), map->end() - map->first(), std::move(map)};
}

}  // namespace

std::shared_ptr<const ElementType> element_type(const TypeArgument& argument) {
  if (argument.type == MPI_DATATYPE_NULL) {
    throw Error(ErrorKind::type, fmt::format("{} is MPI_DATATYPE_NULL", name_of(argument)));
  }
  // Of a handle that is none the handler of MPI_COMM_WORLD hears here, and may never return.
  if (const auto* known = KeptType::find(argument.type)) return *known;
  expect_committed(argument);
  auto made = std::make_unique<std::shared_ptr<const ElementType>>(
      std::make_shared<const ElementType>(find_out(argument.type, argument)));
  // Two threads may meet a type for the first time at once.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (const auto* known = KeptType::find(argument.type)) return *known;
  return KeptType::attach(argument.type, std::move(made));
}

}  // namespace shunt
