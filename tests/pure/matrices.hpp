// Matrix Market files, and the counts from rank to rank that are read from them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic.hpp"
#include "support/temporary_file.hpp"

namespace shunt::test {

using CountMatrix = std::vector<std::vector<Bytes>>;

inline CountMatrix read_counts(const std::string& text, Rank ranks) {
  const TemporaryFile file(".mtx", text);
  const auto traffic = make_traffic(file.path(), TrafficShape{.ranks = ranks});
  EXPECT_EQ(traffic->ranks(), ranks);
  EXPECT_EQ(traffic->name(), file.path());
  CountMatrix matrix;
  for (Rank source = 0; source < ranks; ++source) {
    traffic->row(source, matrix.emplace_back(static_cast<std::size_t>(ranks)));
  }
  return matrix;
}

/// A file whose first line ends with these words, and its other lines.
inline std::string of_kind(const std::string& words, const std::string& rest) {
  return "%%MatrixMarket matrix coordinate " + words + "\n" + rest;
}

}  // namespace shunt::test
