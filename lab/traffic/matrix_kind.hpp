// The first line of a Matrix Market file, which says what kind of matrix follows.
#pragma once

#include <cstddef>
#include <string_view>

#include "model/input_file.hpp"

namespace shunt {

/// The format allows lines of 1024 characters.
inline constexpr std::size_t kLongestMatrixLine = 1024;

enum class MatrixField { pattern, integer, real, complex };
enum class MatrixSymmetry { general, symmetric, skew_symmetric, hermitian };

[[nodiscard]] std::string_view name_of(MatrixField field);
[[nodiscard]] std::string_view name_of(MatrixSymmetry symmetry);

struct MatrixKind {
  MatrixField field = MatrixField::pattern;
  MatrixSymmetry symmetry = MatrixSymmetry::general;
};

/// Reads the first line, as "%%MatrixMarket matrix coordinate real general", letters of either
/// kind. Throws Error(file) where it says nothing of a sparse matrix, or what the format does not
/// have.
[[nodiscard]] MatrixKind read_matrix_kind(InputFile& file);

}  // namespace shunt
