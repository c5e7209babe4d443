// Matrices of any kind beside their dense forms, in which every element is gone through.
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "matrices.hpp"

namespace shunt {
namespace {

using test::CountMatrix;
using test::of_kind;
using test::read_counts;

/// Whose block of ceil(all / ranks) the index is in, from 0, found by stepping over the blocks.
std::size_t stepped_owner(int index, int all, int ranks) {
  const int block = (all + ranks - 1) / ranks;
  std::size_t owner = 0;
  for (int end = block; end <= index; end += block) ++owner;
  return owner;
}

/// Random entries of a matrix, as lines of a file, and what it has in each place with its mirror
/// images.
struct RandomEntries {
  RandomEntries(const std::string& symmetry, int rows, int columns, std::mt19937& random)
      : dense(static_cast<std::size_t>(rows),
              std::vector<Bytes>(static_cast<std::size_t>(columns))) {
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        if (random() % 3 != 0 || (symmetry != "general" && column > row)) continue;
        if (symmetry == "skew-symmetric" && column == row) continue;
        lines += std::to_string(row + 1) + " " + std::to_string(column + 1) + " 1 -2\n";
        ++entries;
        ++dense[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
        if (symmetry == "general" || row == column) continue;
        ++dense[static_cast<std::size_t>(column)][static_cast<std::size_t>(row)];
      }
    }
  }

  std::vector<std::vector<Bytes>> dense;
  std::string lines;
  int entries = 0;
};

TEST(MatrixMarket, CountsAreThoseOfTheDenseMatrix) {
  std::mt19937 random(7);
  for (const std::string symmetry : {"general", "symmetric", "skew-symmetric", "hermitian"}) {
    for (const int rows : {1, 4, 7, 12}) {
      const int columns = symmetry == "general" ? 13 - rows : rows;
      const RandomEntries matrix(symmetry, rows, columns, random);
      const std::string sizes = std::to_string(rows) + " " + std::to_string(columns) + " " +
                                std::to_string(matrix.entries) + "\n";
      for (const int ranks : {1, 2, 3, 5, 16}) {
        const auto size = static_cast<std::size_t>(ranks);
        CountMatrix counts(size, std::vector<Bytes>(size));
        for (int row = 0; row < rows; ++row) {
          for (int column = 0; column < columns; ++column) {
            counts[stepped_owner(row, rows, ranks)][stepped_owner(column, columns, ranks)] +=
                matrix.dense[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
          }
        }
        EXPECT_EQ(read_counts(of_kind("complex " + symmetry, sizes + matrix.lines), ranks), counts)
            << symmetry << ", " << rows << " rows, " << ranks << " ranks";
      }
    }
  }
}

}  // namespace
}  // namespace shunt
