#include "model/matrix_market.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/traffic_sparse.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_file.hpp"

namespace shunt {
namespace {

using test::expect_error;
using test::TemporaryFile;
using Matrix = std::vector<std::vector<Bytes>>;

Matrix read(const std::string& text, Rank ranks) {
  const TemporaryFile file(".mtx", text);
  const auto traffic = make_traffic(file.path(), TrafficShape{.ranks = ranks});
  EXPECT_EQ(traffic->ranks(), ranks);
  EXPECT_EQ(traffic->name(), file.path());
  Matrix matrix;
  for (Rank source = 0; source < ranks; ++source) {
    traffic->row(source, matrix.emplace_back(static_cast<std::size_t>(ranks)));
  }
  return matrix;
}

void refuse_matrix(const std::string& text, const std::string& words, Rank ranks = 2) {
  const TemporaryFile file(".mtx", text);
  expect_error(ErrorKind::file, words, [&] { (void)read_matrix_market(file.path(), ranks); });
  expect_error(ErrorKind::file, file.path(), [&] { (void)read_matrix_market(file.path(), ranks); });
}

std::string general(const std::string& field, const std::string& rest) {
  return "%%MatrixMarket matrix coordinate " + field + " general\n" + rest;
}

std::string symmetric(const std::string& field, const std::string& rest) {
  return "%%MatrixMarket matrix coordinate " + field + " symmetric\n" + rest;
}

TEST(MatrixMarket, EntriesAreCountedByBlocksOfRows) {
  // 5 rows on 2 ranks: 3 and 2.
  EXPECT_EQ(read(general("pattern", "5 5 6\n1 1\n1 3\n3 4\n4 1\n5 5\n4 4\n"), 2),
            (Matrix{{2, 1}, {1, 2}}));
}

TEST(MatrixMarket, RanksBeyondTheRowsHaveNothing) {
  EXPECT_EQ(read(general("pattern", "2 2 1\n2 1\n"), 3), (Matrix{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}));
  // Blocks of ceil(4 / 3) = 2 rows leave nothing for the third rank.
  EXPECT_EQ(read(general("pattern", "4 4 1\n4 4\n"), 3), (Matrix{{0, 0, 0}, {0, 1, 0}, {0, 0, 0}}));
}

TEST(MatrixMarket, AnIntegerMatrixOfTheRanksIsTheCounts) {
  const std::string text = general("integer", "2 2 3\n1 2 40\n2 1 0\n2 2 9223372036854775807\n");
  EXPECT_EQ(read(text, 2), (Matrix{{0, 40}, {0, INT64_MAX}}));
  EXPECT_EQ(read(text, 1), (Matrix{{3}}));
}

TEST(MatrixMarket, ValuesOfOtherMatricesDoNotCount) {
  EXPECT_EQ(read(general("real", "2 2 2\n1 2 -4.5e3\n2 1 0\n"), 2), (Matrix{{0, 1}, {1, 0}}));
  EXPECT_EQ(read(general("integer", "3 3 2\n1 2 -7\n3 1 5\n"), 2), (Matrix{{1, 0}, {1, 0}}));
}

TEST(MatrixMarket, SymmetricEntriesCountTwiceOffTheDiagonal) {
  EXPECT_EQ(read(symmetric("integer", "2 2 2\n1 1 3\n2 1 5\n"), 2), (Matrix{{3, 5}, {5, 0}}));
}

TEST(MatrixMarket, RepeatedEntriesAddUp) {
  EXPECT_EQ(read(general("integer", "1 1 2\n1 1 3\n1 1 5\n"), 1), (Matrix{{8}}));
}

TEST(MatrixMarket, CommentsBlanksCaseAndLineEndsDoNotMatter) {
  EXPECT_EQ(read("%%matrixmarket MATRIX Coordinate Pattern General\r\n% a comment\r\n\r\n"
                 "  2\t2 1  \r\n%\r\n 1 2\r\n\r\n",
                 2),
            (Matrix{{0, 1}, {0, 0}}));
  EXPECT_EQ(read(general("pattern", "2 2 1\n1 2"), 2), (Matrix{{0, 1}, {0, 0}}));
}

TEST(MatrixMarket, AnEmptyMatrixIsAMatrix) {
  EXPECT_EQ(read(general("pattern", "2 2 0\n"), 2), (Matrix{{0, 0}, {0, 0}}));
}

TEST(MatrixMarket, BadBanners) {
  refuse_matrix("", "empty");
  refuse_matrix("1 2 3\n", "must begin with");
  refuse_matrix("%%MatrixMarket matrix array real general\n", "must begin with");
  refuse_matrix("%%MatrixMarket matrix coordinate\n", "field is \"\"");
  refuse_matrix(general("complex", "1 1 0\n"), "field is \"complex\"");
  refuse_matrix("%%MatrixMarket matrix coordinate real skew-symmetric\n",
                "symmetry is \"skew-symmetric\"");
  refuse_matrix(std::string(100000, 'x'), "exceeds 1024");
}

TEST(MatrixMarket, BadSizes) {
  refuse_matrix(general("pattern", ""), "sizes is missing");
  refuse_matrix(general("pattern", "2 3 0\n"), "2 x 3, but must be square");
  refuse_matrix(general("pattern", "0 0 0\n"), "number of rows is \"0\"");
  refuse_matrix(general("pattern", "-2 -2 0\n"), "number of rows is \"-2\"");
  refuse_matrix(general("pattern", "2 2\n"), "number of entries is \"\"");
  refuse_matrix(general("pattern", "2 2 -1\n"), "number of entries is \"-1\"");
  refuse_matrix(general("pattern", "2 2 0 0\n"), "\"0\" is more than the line may hold");
  refuse_matrix(general("pattern", "99999999999999999999 2 0\n"), "number of rows");
  refuse_matrix(general("pattern", "2 2 9000000000000000000\n1 1\n"),
                "ends after 1 of 9000000000000000000");
}

TEST(MatrixMarket, BadEntries) {
  refuse_matrix(general("pattern", "2 2 2\n1 1\n"), "ends after 1 of 2");
  refuse_matrix(general("pattern", "2 2 1\n1 1\n2 2\n"), "more than 1 entries");
  refuse_matrix(general("pattern", "2 2 1\n0 1\n"), ":3: the row is \"0\"");
  refuse_matrix(general("pattern", "2 2 1\n3 1\n"), "row is \"3\"");
  refuse_matrix(general("pattern", "2 2 1\n1 3\n"), "column is \"3\"");
  refuse_matrix(general("pattern", "2 2 1\n1\n"), "column is \"\"");
  refuse_matrix(general("pattern", "2 2 1\n1 1 1\n"), "more than the line may hold");
  refuse_matrix(general("integer", "2 2 1\n1 1 -1\n"), "count is \"-1\"");
  refuse_matrix(general("integer", "2 2 1\n1 1 1.5\n"), "count is \"1.5\"");
  refuse_matrix(general("integer", "2 2 1\n1 1 9223372036854775808\n"), "count is");
  refuse_matrix(general("integer", "3 3 1\n1 1 x\n"), "value \"x\"");
  refuse_matrix(general("real", "2 2 1\n1 1\n"), "value \"\"");
  refuse_matrix(symmetric("pattern", "2 2 1\n1 2\n"), "above its diagonal");
  refuse_matrix(general("integer", "2 2 2\n1 1 9223372036854775807\n1 1 1\n"), "exceeds 64 bits");
}

TEST(MatrixMarket, ADirectoryIsNoMatrix) {
  expect_error(ErrorKind::file, "no such regular file", [] { (void)read_matrix_market("/", 2); });
}

TEST(MatrixMarket, AHugeOrderCostsNothing) {
  EXPECT_EQ(read(general("pattern",
                         "9223372036854775807 9223372036854775807 1\n"
                         "9223372036854775807 1\n"),
                 2),
            (Matrix{{0, 0}, {1, 0}}));
}

}  // namespace
}  // namespace shunt
