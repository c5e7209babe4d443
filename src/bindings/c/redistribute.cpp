// Redistributions of arrays, from C.
#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bindings/agreed.hpp"
#include "bindings/c/agreement.hpp"
#include "bindings/c/report.hpp"
#include "bindings/c/request.hpp"
#include "bindings/element_type.hpp"
#include "bindings/plan_implementation.hpp"
#include "bindings/redistribution_calls.hpp"
#include "environment/environment.hpp"
#include "redistribution/redistribution.hpp"
#include "shunt/error.hpp"
#include "shunt/shunt.h"

namespace shunt::c {

namespace {

/// The arguments of a call.
struct RedistributionCall {
  const void* sendbuf;
  const SHUNT_Array* from;
  void* recvbuf;
  const SHUNT_Array* to;
  const MPI_Count* extents;
  const int* axes;
  MPI_Datatype type;
  MPI_Comm comm;
};

/// `count` numbers, or none where there is no array.
std::vector<Index> numbers(const MPI_Count* array, std::size_t count) {
  return array == nullptr ? std::vector<Index>{} : std::vector<Index>(array, array + count);
}

/// What an argument says of an array.
struct GivenArray {
  ArrayLayout layout;
  std::vector<Index> strides;
  std::vector<Index> begin;
};

/// The ranks at the places of the grid, or none. More of them than the communicator has are not
/// looked at.
std::vector<Rank> read_ranks(const SHUNT_Array& array, const ArrayLayout& layout, Rank ranks,
                             const char* name) {
  // Other numbers of places are refused later, together with all else that is wrong with a layout.
  const bool has_places = std::ranges::all_of(
      layout.dimensions, [](const BlockCyclic& dimension) { return dimension.places > 0; });
  if (array.ranks == nullptr || !has_places) return {};
  const Rank places = grid_places(layout);
  if (places > ranks) {
    throw Error(ErrorKind::argument,
                fmt::format("the grid of the array {} has {} places; there are {} ranks", name,
                            places, ranks));
  }
  return {array.ranks, array.ranks + places};
}

GivenArray read_array(const SHUNT_Array* array, Rank ranks, const char* name) {
  if (array == nullptr) {
    throw Error(ErrorKind::argument, fmt::format("the pointer to the array {} is null", name));
  }
  if (array->dimensions < 1) {
    throw Error(ErrorKind::argument, fmt::format("the array {} has {} dimensions; it has at least "
                                                 "one",
                                                 name, array->dimensions));
  }
  if (array->dimension == nullptr) {
    throw Error(ErrorKind::argument, fmt::format("the dimensions of the array {} are null", name));
  }
  if (array->order != MPI_ORDER_C && array->order != MPI_ORDER_FORTRAN) {
    throw Error(ErrorKind::argument,
                fmt::format("the order of the array {} is {}; it is MPI_ORDER_C or "
                            "MPI_ORDER_FORTRAN",
                            name, array->order));
  }
  GivenArray given;
  for (int d = 0; d < array->dimensions; ++d) {
    const SHUNT_Dimension& dimension = array->dimension[d];
    given.layout.dimensions.push_back(
        {dimension.extent, dimension.block, dimension.places, dimension.first});
  }
  given.layout.order = array->order == MPI_ORDER_C ? Order::row_major : Order::column_major;
  given.layout.ranks = read_ranks(*array, given.layout, ranks, name);
  const std::size_t dimensions = given.layout.dimensions.size();
  given.strides = numbers(array->strides, dimensions);
  given.begin = numbers(array->begin, dimensions);
  return given;
}

ArraySection section_of(const RedistributionCall& call, const GivenArray& from,
                        const GivenArray& to) {
  const std::size_t dimensions = from.layout.dimensions.size();
  ArraySection section{numbers(call.extents, dimensions), from.begin, to.begin, {}};
  for (std::size_t d = 0; call.axes != nullptr && d < dimensions; ++d) {
    section.to_axes.push_back(static_cast<std::size_t>(call.axes[d]));
  }
  return section;
}

Bytes element_of(MPI_Datatype type) {
  const auto element = element_type({type, "element"});
  if (element->size > 0 && element->is_contiguous(2) && element->first == 0) return element->size;
  throw Error(ErrorKind::type,
              "the element type has gaps, or no data; elements of arrays are consecutive bytes");
}

/// A part in memory, which nobody has measured.
template <class Byte, class Address>
DistributedArray<Byte> in_memory(const GivenArray& array, Address buffer, Rank rank, Bytes element,
                                 const char* name) {
  const Bytes end = local_part(array.layout, array.strides, rank, element, name).end;
  if (end > 0 && buffer == nullptr) {
    throw Error(ErrorKind::buffer, fmt::format("the buffer of the array {} is null", name));
  }
  return {array.layout, {static_cast<Byte*>(buffer), static_cast<std::size_t>(end)}, array.strides};
}

std::vector<Bytes> by_rank(const std::vector<BoxMessage>& messages, Rank ranks) {
  std::vector<Bytes> bytes(static_cast<std::size_t>(ranks), 0);
  for (const BoxMessage& message : messages) {
    bytes[static_cast<std::size_t>(message.peer)] = message.box.bytes();
  }
  return bytes;
}

/// What the arguments say, in the terms of the engine.
struct ReadCall {
  GatheredArrays arrays;
  std::vector<Bytes> sent = {};  ///< from this rank, in bytes by rank; only for who asks
  std::vector<Bytes> received = {};
};

/// Redistributions are not among what SHUNT_ALGORITHM chooses.
Options options_of(const Environment& chosen) {
  Options options = chosen.options;
  options.algorithm = kAuto;
  return options;
}

ReadCall read_call(const RedistributionCall& call, const Context& context) {
  const Environment& chosen = environment();
  expect_readable(chosen);
  const Bytes element = element_of(call.type);
  const Rank rank = context.rank();
  const Rank ranks = context.ranks();
  const GivenArray from = read_array(call.from, ranks, "from");
  const GivenArray to = read_array(call.to, ranks, "to");
  const ArraySection section = section_of(call, from, to);
  const Redistribution redistribution(from.layout, to.layout, section, ranks);
  const auto source = in_memory<const std::byte>(from, call.sendbuf, rank, element, "from");
  const auto target = in_memory<std::byte>(to, call.recvbuf, rank, element, "to");
  ReadCall read{gather_arrays(context, options_of(chosen), {{source, target, section}}, element)};
  if (!chosen.check) return read;
  const std::vector<Bytes> any_strides(from.layout.dimensions.size(), element);
  read.sent = by_rank(redistribution.sends(rank, any_strides, element), ranks);
  read.received = by_rank(redistribution.receives(rank, any_strides, element), ranks);
  return read;
}

Part part_of_arrays(const ReadCall& read) { return {nullptr, read.sent, read.received, false}; }

void redistribute(const RedistributionCall& call) {
  const std::shared_ptr<Context> context = context_of(call.comm);
  const Environment& chosen = environment();
  const auto read = [&] { return read_call(call, *context); };
  std::optional<ReadCall> agreed_on;
  if (chosen.check) agreed_on = read_and_agree(*context, read, part_of_arrays);
  redistribute_once(context, options_of(chosen),
                    [&] { return agreed_on ? std::move(agreed_on->arrays) : read().arrays; });
}

/// The plan of a request, to which `request` points.
std::unique_ptr<Plan::Implementation> plan_request(const RedistributionCall& call,
                                                   const SHUNT_Request* request) {
  const std::shared_ptr<Context> context = context_of(call.comm);
  const Environment& chosen = environment();
  const auto read = [&] {
    expect_pointer(request, "request");
    return read_call(call, *context);
  };
  ReadCall agreed_on =
      chosen.check ? read_and_agree(*context, read, part_of_arrays) : agreed(*context, read);
  return plan_gathered(context, options_of(chosen), std::move(agreed_on.arrays));
}

}  // namespace

}  // namespace shunt::c

int SHUNT_Redistribute(const void* sendbuf, const SHUNT_Array* from, void* recvbuf,
                       const SHUNT_Array* to, const MPI_Count extents[], const int axes[],
                       MPI_Datatype type, MPI_Comm comm) {
  using namespace shunt::c;
  return guarded("SHUNT_Redistribute", {comm}, [&] {
    redistribute({sendbuf, from, recvbuf, to, extents, axes, type, comm});
  });
}

int SHUNT_Redistribute_init(const void* sendbuf, const SHUNT_Array* from, void* recvbuf,
                            const SHUNT_Array* to, const MPI_Count extents[], const int axes[],
                            MPI_Datatype type, MPI_Comm comm, MPI_Info /*info*/,
                            SHUNT_Request* request) {
  using namespace shunt::c;
  const RedistributionCall call{sendbuf, from, recvbuf, to, extents, axes, type, comm};
  return make_request(
      "SHUNT_Redistribute_init", comm, [&] { return plan_request(call, request); }, request);
}
