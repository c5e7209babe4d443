// Sparse matrices in Matrix Market files, read as traffic.
#pragma once

#include <memory>
#include <string_view>

#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic.hpp"

namespace shunt {

/// Whether `make_traffic` takes the specification for a Matrix Market file: "path.mtx".
[[nodiscard]] bool is_matrix_specification(std::string_view specification);

/// Reads an m x n matrix in Matrix Market coordinate format and distributes its rows over `ranks`
/// ranks in blocks of ceil(m / ranks), its columns in blocks of ceil(n / ranks). Rank p has for
/// rank q as many elements as the matrix has entries in p's rows and q's columns, those that
/// symmetry implies among them. An integer matrix with m == n == ranks that is not skew-symmetric
/// is itself the matrix of counts. Repeated entries add up. Costs memory for the entries and the
/// ranks, however large m and n are.
///
/// Throws Error(file) where the file is not such a matrix.
[[nodiscard]] std::unique_ptr<Traffic> read_matrix_market(std::string_view path, Rank ranks);

}  // namespace shunt
