#include "bindings/element_type.hpp"

#include <algorithm>
#include <mutex>
#include <string>

#include <fmt/format.h>

#include "bindings/packing.hpp"
#include "exchange/mpi_call.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

std::string name_of(const TypeArgument& argument) {
  if (argument.peer == kNoRank) return fmt::format("the {} type", argument.side);
  return fmt::format("{} type {}", argument.side, argument.peer);
}

/// Packing nothing is a use that MPI allows for committed types only.
void expect_committed(const TypeArgument& argument) {
  std::byte nothing{};
  int position = 0;
  const int code = MPI_Pack(&nothing, 0, argument.type, &nothing, 1, &position, packing_comm());
  if (code == MPI_SUCCESS) return;
  throw Error(ErrorKind::type,
              fmt::format("{} is not a datatype that MPI can pack: it must be committed by "
                          "MPI_Type_commit",
                          name_of(argument)));
}

void find_runs(MPI_Datatype type, ElementType& found) {
  if (found.size == 0) return;
  const bool is_short = found.span <= kLongestTrial && found.size <= kLongestTrial;
  const auto runs =
      is_short ? runs_by_trial(type, found.size, found.first, found.span) : runs_of(type);
  if (!runs) return;
  Bytes end = 0;
  for (const Run& run : *runs) {
    found.packed_at.push_back(end);
    end += run.length;
  }
  // A type that was followed wrongly must not be packed by that.
  if (end != found.size) return;
  found.runs = *runs;
  const Bytes length = found.runs.front().length;
  const bool same =
      std::ranges::all_of(found.runs, [&](const Run& run) { return run.length == length; });
  found.run_length = same ? length : 0;
}

ElementType find_out(MPI_Datatype type, const TypeArgument& argument) {
  MPI_Count size = 0;
  MPI_Count bound = 0;
  MPI_Count extent = 0;
  MPI_Count first = 0;
  MPI_Count span = 0;
  check_mpi(MPI_Type_size_x(type, &size), "MPI_Type_size_x");
  check_mpi(MPI_Type_get_extent_x(type, &bound, &extent), "MPI_Type_get_extent_x");
  check_mpi(MPI_Type_get_true_extent_x(type, &first, &span), "MPI_Type_get_true_extent_x");
  if (size < 0) {
    throw Error(ErrorKind::type,
                fmt::format("{} has more bytes than MPI can count in 64 bits", name_of(argument)));
  }
  ElementType found{size, extent, first, span, {}, {}, 0};
  find_runs(type, found);
  return found;
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
  return KeptType::hang(argument.type, std::move(made));
}

}  // namespace shunt
