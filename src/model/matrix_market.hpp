// Sparse matrices in Matrix Market files, read as traffic.
#pragma once

#include <memory>
#include <string_view>

#include "model/traffic.hpp"

namespace shunt {

/// Reads an n x n matrix in Matrix Market coordinate format (pattern, integer or real; general or
/// symmetric) and deals its rows and columns to `ranks` ranks in blocks of ceil(n / ranks). Rank p
/// has for rank q as many elements as the matrix has entries in p's rows and q's columns. An
/// integer matrix with n == ranks is itself the matrix of counts. Repeated entries add up.
///
/// Throws Error(file) where the file is not such a matrix.
[[nodiscard]] std::unique_ptr<Traffic> read_matrix_market(std::string_view path, Rank ranks);

}  // namespace shunt
