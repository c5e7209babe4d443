// The bytes of datatypes that are parts of arrays.
#pragma once

#include <vector>

#include "bindings/type_map.hpp"

namespace shunt {

/// A part of an array of `element`s, each of `extent` bytes. `numbers` are those of
/// MPI_Type_create_subarray, in its order.
[[nodiscard]] TypeMapPointer subarray(const TypeMapPointer& element, Bytes extent,
                                      const std::vector<Bytes>& numbers);

/// A rank's part of a distributed array; the numbers are those of MPI_Type_create_darray.
[[nodiscard]] TypeMapPointer distributed_array(const TypeMapPointer& element, Bytes extent,
                                               const std::vector<Bytes>& numbers);

}  // namespace shunt
