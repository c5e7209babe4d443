// How a datatype was made, as MPI_Type_get_contents says.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <mpi.h>

#include "shunt/types.hpp"

namespace shunt {

/// The types among the contents are freed with this.
class TypeContents {
 public:
  explicit TypeContents(MPI_Datatype type);
  TypeContents(const TypeContents&) = delete;
  TypeContents& operator=(const TypeContents&) = delete;
  ~TypeContents();

  /// Whether MPI defines the type itself.
  [[nodiscard]] bool is_predefined() const { return predefined_; }
  [[nodiscard]] int combiner() const { return combiner_; }
  [[nodiscard]] std::span<const MPI_Datatype> types() const { return types_; }

  /// The arguments of the constructor that are numbers, in its order.
  [[nodiscard]] const std::vector<Bytes>& numbers() const { return numbers_; }

 private:
  int combiner_ = MPI_COMBINER_NAMED;
  bool predefined_ = true;
  std::vector<Bytes> numbers_;
  std::vector<MPI_Datatype> types_;
};

}  // namespace shunt
