// What has to be known of an MPI datatype to move its elements as bytes.
#pragma once

#include <memory>

#include <mpi.h>

#include "bindings/type_map.hpp"
#include "mpi_calls/attribute.hpp"
#include "shunt/types.hpp"

namespace shunt {

struct ElementType {
  Bytes size = 0;    ///< bytes of data
  Bytes extent = 0;  ///< from one element's address to the next one's
  Bytes first = 0;   ///< where the lowest byte of data lies, from the element's address
  Bytes span = 0;    ///< bytes from the lowest to the highest byte of data

  /// The data in the order in which MPI packs it.
  TypeMapPointer map;

  /// Whether `count` elements are consecutive bytes in the order of the packing.
  [[nodiscard]] bool is_contiguous(Bytes count) const {
    return map->is_one_run() && (count == 1 || map->front_run().length == extent);
  }
};

/// An argument that is a datatype: that of one side, or of one side's block for `peer`.
struct TypeArgument {
  MPI_Datatype type;
  const char* side;  ///< "send" or "receive"; or else whose type it is
  Rank peer = kNoRank;
};

/// Returns what is known of a type. Found out by the first call for it, and kept with the type as
/// an attribute. Throws Error(type) for MPI_DATATYPE_NULL and for a type that is not committed.
[[nodiscard]] std::shared_ptr<const ElementType> element_type(const TypeArgument& argument);

using KeptType = Attribute<OnDatatype, std::shared_ptr<const ElementType>>;

}  // namespace shunt
