#include "lab/traffic/matrix_market.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "matrices.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_file.hpp"

namespace shunt {
namespace {

using test::CountMatrix;
using test::expect_error;
using test::of_kind;
using test::read_counts;
using test::TemporaryFile;

void refuse_matrix(const std::string& text, const std::string& words, Rank ranks = 2) {
  const TemporaryFile file(".mtx", text);
  expect_error(ErrorKind::file, words, [&] { (void)read_matrix_market(file.path(), ranks); });
  expect_error(ErrorKind::file, file.path(), [&] { (void)read_matrix_market(file.path(), ranks); });
}

std::string general(const std::string& field, const std::string& rest) {
  return of_kind(field + " general", rest);
}

std::string symmetric(const std::string& field, const std::string& rest) {
  return of_kind(field + " symmetric", rest);
}

TEST(MatrixMarket, EntriesAreCountedByBlocksOfRows) {
  // 5 rows on 2 ranks: 3 and 2.
  EXPECT_EQ(read_counts(general("pattern", "5 5 6\n1 1\n1 3\n3 4\n4 1\n5 5\n4 4\n"), 2),
            (CountMatrix{{2, 1}, {1, 2}}));
}

TEST(MatrixMarket, RanksBeyondTheRowsHaveNothing) {
  EXPECT_EQ(read_counts(general("pattern", "2 2 1\n2 1\n"), 3),
            (CountMatrix{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}));
  // Blocks of ceil(4 / 3) = 2 rows leave nothing for the third rank.
  EXPECT_EQ(read_counts(general("pattern", "4 4 1\n4 4\n"), 3),
            (CountMatrix{{0, 0, 0}, {0, 1, 0}, {0, 0, 0}}));
}

TEST(MatrixMarket, AnIntegerMatrixOfTheRanksIsTheCounts) {
  const std::string text = general("integer", "2 2 3\n1 2 40\n2 1 0\n2 2 9223372036854775807\n");
  EXPECT_EQ(read_counts(text, 2), (CountMatrix{{0, 40}, {0, INT64_MAX}}));
  EXPECT_EQ(read_counts(text, 1), (CountMatrix{{3}}));
}

TEST(MatrixMarket, ValuesOfOtherMatricesDoNotCount) {
  EXPECT_EQ(read_counts(general("real", "2 2 2\n1 2 -4.5e3\n2 1 0\n"), 2),
            (CountMatrix{{0, 1}, {1, 0}}));
  EXPECT_EQ(read_counts(general("integer", "3 3 2\n1 2 -7\n3 1 5\n"), 2),
            (CountMatrix{{1, 0}, {1, 0}}));
}

TEST(MatrixMarket, SymmetricEntriesCountTwiceOffTheDiagonal) {
  EXPECT_EQ(read_counts(symmetric("integer", "2 2 2\n1 1 3\n2 1 5\n"), 2),
            (CountMatrix{{3, 5}, {5, 0}}));
}

TEST(MatrixMarket, RepeatedEntriesAddUp) {
  EXPECT_EQ(read_counts(general("integer", "1 1 2\n1 1 3\n1 1 5\n"), 1), (CountMatrix{{8}}));
}

TEST(MatrixMarket, CommentsBlanksCaseAndLineEndsDoNotMatter) {
  EXPECT_EQ(read_counts("%%matrixmarket MATRIX Coordinate Pattern General\r\n% a comment\r\n\r\n"
                        "  2\t2 1  \r\n%\r\n 1 2\r\n\r\n",
                        2),
            (CountMatrix{{0, 1}, {0, 0}}));
  EXPECT_EQ(read_counts(general("pattern", "2 2 1\n1 2"), 2), (CountMatrix{{0, 1}, {0, 0}}));
}

TEST(MatrixMarket, AnEmptyMatrixIsAMatrix) {
  for (const std::string sizes : {"2 2 0", "0 0 0", "0 7 0", "7 0 0"}) {
    EXPECT_EQ(read_counts(general("pattern", sizes + "\n"), 2), (CountMatrix{{0, 0}, {0, 0}}));
  }
  EXPECT_EQ(read_counts(symmetric("real", "0 0 0"), 1), (CountMatrix{{0}}));
}

TEST(MatrixMarket, RowsAndColumnsOfARectangleAreDealtOutApart) {
  // 5 rows on 2 ranks: 3 and 2; 3 columns: 2 and 1.
  EXPECT_EQ(read_counts(general("pattern", "5 3 5\n1 1\n3 2\n3 3\n4 2\n5 3\n"), 2),
            (CountMatrix{{2, 1}, {1, 1}}));
  EXPECT_EQ(read_counts(general("pattern", "1 4 3\n1 1\n1 3\n1 4\n"), 4),
            (CountMatrix{{1, 0, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}));
  // As many rows as ranks alone make no matrix of counts.
  EXPECT_EQ(read_counts(general("integer", "2 4 2\n1 4 -70\n2 1 9\n"), 2),
            (CountMatrix{{0, 1}, {1, 0}}));
  EXPECT_EQ(read_counts(general("integer", "4 2 2\n4 1 -70\n1 2 9\n"), 2),
            (CountMatrix{{0, 1}, {1, 0}}));
}

TEST(MatrixMarket, ComplexEntriesHaveTwoParts) {
  EXPECT_EQ(read_counts(general("complex", "2 2 2\n1 2 1.5 -2\n2 2 0 0\n"), 2),
            (CountMatrix{{0, 1}, {0, 1}}));
  EXPECT_EQ(read_counts(of_kind("complex Hermitian", "2 2 2\n2 1 1 -1\n2 2 3 0\n"), 2),
            (CountMatrix{{0, 1}, {1, 1}}));
  EXPECT_EQ(read_counts(symmetric("complex", "2 2 1\n2 1 1 -1\n"), 2),
            (CountMatrix{{0, 1}, {1, 0}}));
}

TEST(MatrixMarket, SkewSymmetricEntriesCountTwice) {
  EXPECT_EQ(read_counts(of_kind("real skew-symmetric", "3 3 2\n2 1 -1.5\n3 1 4\n"), 3),
            (CountMatrix{{0, 1, 1}, {1, 0, 0}, {1, 0, 0}}));
  EXPECT_EQ(read_counts(of_kind("complex skew-symmetric", "2 2 1\n2 1 1 2\n"), 2),
            (CountMatrix{{0, 1}, {1, 0}}));
  // Its values are negative on one side of the diagonal: they are no counts.
  EXPECT_EQ(read_counts(of_kind("integer skew-symmetric", "2 2 1\n2 1 50\n"), 2),
            (CountMatrix{{0, 1}, {1, 0}}));
}

TEST(MatrixMarket, NumbersAreAsCAndFortranWriteThem) {
  EXPECT_EQ(read_counts(general("real",
                                "+2 +2 +9\n"
                                "+1 1 1.5D+03\n1 1 -.5d2\n1 1 +7.\n1 1 1e-400\n1 1 1E400\n"
                                "1 1 1.5-103\n1 1 inf\n1 1 -Infinity\n1 +1 NaN\n"),
                        2),
            (CountMatrix{{9, 0}, {0, 0}}));
  EXPECT_EQ(read_counts(general("integer", "3 3 2\n1 1 +99999999999999999999\n1 1 -0\n"), 1),
            (CountMatrix{{2}}));
  EXPECT_EQ(read_counts(general("integer", "1 1 1\n1 1 +5\n"), 1), (CountMatrix{{5}}));
  for (const std::string word : {"x", "1.5e", "1.5e+", ".", "e3", "+", "--1", "1,5", "0x1p3",
                                 "1.5f", "1 .5", "infinit", "1e3.5"}) {
    const bool is_two = word == "1 .5";
    refuse_matrix(general("real", "2 2 1\n1 1 " + word + "\n"),
                  is_two ? ":3: an entry of the field real must have 3 words, row, column and "
                           "value, but the line has 4"
                         : ":3: the value \"" + word + "\" is not a number");
  }
  for (const std::string word : {"1.0", "1e3", "+-1", "++1", "-"}) {
    refuse_matrix(general("integer", "3 3 1\n1 1 " + word + "\n"),
                  ":3: the value \"" + word + "\" is not a whole number");
  }
}

TEST(MatrixMarket, OtherNamesOfFields) {
  EXPECT_EQ(read_counts(general("double", "2 2 1\n1 2 1.5\n"), 2), (CountMatrix{{0, 1}, {0, 0}}));
  EXPECT_EQ(read_counts(general("unsigned-integer", "3 3 1\n1 1 18446744073709551615\n"), 2),
            (CountMatrix{{1, 0}, {0, 0}}));
  EXPECT_EQ(read_counts("%%MATRIXMARKET Matrix COORDINATE Complex HERMITIAN\n1 1 1\n1 1 1 0\n", 1),
            (CountMatrix{{1}}));
}

TEST(MatrixMarket, BadBanners) {
  refuse_matrix("", "the file is empty");
  refuse_matrix("1 2 3\n", ":1: the file must begin with \"%%MatrixMarket matrix coordinate\"");
  refuse_matrix("\n" + general("pattern", "1 1 0\n"), ":1: the file must begin with");
  refuse_matrix("%%MatrixMarket matrix array real general\n2 1\n1\n2\n",
                ":1: the format is \"array\", but must be coordinate");
  refuse_matrix("%%MatrixMarket vector coordinate real general\n2 1\n1 5\n",
                ":1: the object is \"vector\", but must be matrix");
  refuse_matrix("%%MatrixMarket\n", "the object is \"\"");
  refuse_matrix("%%MatrixMarket matrix coordinate\n", "field is \"\"");
  refuse_matrix("%%MatrixMarket matrix coordinate real\n", "symmetry is \"\"");
  refuse_matrix(general("rational", "1 1 0\n"),
                ":1: the field is \"rational\", but must be pattern, integer, real or complex");
  refuse_matrix(of_kind("real upper", "1 1 0\n"),
                ":1: the symmetry is \"upper\", but must be general, symmetric, skew-symmetric or "
                "Hermitian");
  refuse_matrix(of_kind("real hermitian", "1 1 0\n"),
                ":1: a Hermitian matrix must have the field complex, not real");
  refuse_matrix(of_kind("pattern Skew-Symmetric", "1 1 0\n"),
                ":1: a matrix of the field pattern must be general or symmetric");
  refuse_matrix(std::string(100000, 'x'), "exceeds 1024");
}

TEST(MatrixMarket, BadSizes) {
  refuse_matrix(general("pattern", ""), "sizes is missing");
  refuse_matrix(general("pattern", "-2 -2 0\n"), ":2: the number of rows is \"-2\"");
  refuse_matrix(general("pattern", "% rows\n2 x 0\n"), ":3: the number of columns is \"x\"");
  refuse_matrix(general("pattern", "2 2 -1\n"), "number of entries is \"-1\"");
  for (const std::string words : {"2", "2 2", "2 2 0 0"}) {
    refuse_matrix(general("pattern", words + "\n"),
                  ":2: the line of sizes must have 3 words, rows, columns and entries, but has " +
                      std::to_string((words.size() + 1) / 2));
  }
  refuse_matrix(general("pattern", "99999999999999999999 2 0\n"), "number of rows");
  refuse_matrix(general("pattern", "2 2 9000000000000000000\n1 1\n"),
                ":3: the file ends after 1 of 9000000000000000000 entries");
  refuse_matrix(symmetric("real", "2 3 0\n"),
                ":2: a symmetric matrix must be square, but this one is 2 x 3");
  refuse_matrix(of_kind("complex hermitian", "3 2 0\n"), "a Hermitian matrix must be square");
  refuse_matrix(general("real", "0 5 3\n"), ":2: a matrix of 0 x 5 must have no entries, not 3");
}

TEST(MatrixMarket, BadEntries) {
  refuse_matrix(general("pattern", "2 2 2\n1 1\n"), ":3: the file ends after 1 of 2");
  refuse_matrix(general("pattern", "2 2 1\n1 1\n\n% more\n2 2\n"), ":6: there are more than 1 ent");
  refuse_matrix(general("pattern", "2 2 1\n0 1\n"), ":3: the row is \"0\"");
  refuse_matrix(general("pattern", "2 2 1\n3 1\n"),
                ":3: the row is \"3\", but must be a whole number from 1 to 2");
  refuse_matrix(general("pattern", "2 3 1\n1 4\n"),
                ":3: the column is \"4\", but must be a whole number from 1 to 3");
  refuse_matrix(general("pattern", "3 2 1\n1 3\n"), "column is \"3\"");
  refuse_matrix(general("pattern", "2 2 1\n1 1.0\n"), "column is \"1.0\"");
  refuse_matrix(general("pattern", "2 2 1\n1 +-1\n"), "column is \"+-1\"");
  refuse_matrix(general("integer", "2 2 1\n1 1 -1\n"), ":3: the count is \"-1\"");
  refuse_matrix(general("integer", "2 2 1\n1 1 1.5\n"), "count is \"1.5\"");
  refuse_matrix(general("integer", "2 2 1\n1 1 9223372036854775808\n"), "count is");
  refuse_matrix(general("complex", "2 2 1\n1 1 1 i\n"), ":3: the value \"i\" is not a number");
  refuse_matrix(general("integer", "2 2 2\n1 1 9223372036854775807\n1 1 1\n"),
                ":4: a count exceeds 64 bits");
}

TEST(MatrixMarket, EntriesOfWrongLength) {
  const auto refuse_words = [](const std::string& field, const std::string& words,
                               const std::string& rule) {
    refuse_matrix(general(field, "2 2 2\n\n% an entry\n" + words + "\n"),
                  ":5: an entry of the field " + field + " must have " + rule);
  };
  refuse_words("pattern", "1", "2 words, row and column, but the line has 1");
  refuse_words("pattern", "1 1 1", "2 words, row and column, but the line has 3");
  refuse_words("real", "1 1", "3 words, row, column and value, but the line has 2");
  refuse_words("real", "1 1 1 1", "3 words, row, column and value, but the line has 4");
  refuse_words("integer", "1 1 1 % five", "3 words, row, column and value, but the line has 5");
  refuse_words("complex", "1 1 1",
               "4 words, row, column, real and imaginary part, but the line has 3");
  refuse_words("complex", "1 1 1 1 1",
               "4 words, row, column, real and imaginary part, but the line has 5");
}

TEST(MatrixMarket, EntriesInTheWrongTriangle) {
  refuse_matrix(symmetric("pattern", "2 2 1\n1 2\n"),
                ":3: row 1, column 2 is above the diagonal, but the entries of a symmetric matrix "
                "must be on or below it");
  refuse_matrix(of_kind("complex hermitian", "2 2 1\n1 2 1 0\n"),
                ":3: row 1, column 2 is above the diagonal, but the entries of a Hermitian");
  refuse_matrix(of_kind("real skew-symmetric", "2 2 1\n1 2 1\n"),
                ":3: row 1, column 2 is above the diagonal, but the entries of a skew-symmetric "
                "matrix must be below it");
  refuse_matrix(of_kind("real skew-symmetric", "2 2 1\n2 2 0\n"),
                ":3: row 2, column 2 is on the diagonal, but the entries of a skew-symmetric");
}

TEST(MatrixMarket, ADirectoryIsNoMatrix) {
  expect_error(ErrorKind::file, "no such regular file", [] { (void)read_matrix_market("/", 2); });
}

TEST(MatrixMarket, AHugeOrderCostsNothing) {
  EXPECT_EQ(read_counts(general("pattern",
                                "9223372036854775807 9223372036854775807 1\n"
                                "9223372036854775807 1\n"),
                        2),
            (CountMatrix{{0, 0}, {1, 0}}));
  EXPECT_EQ(
      read_counts(
          of_kind("complex hermitian", "1099511627776 1099511627776 1\n1099511627776 1 0 1\n"), 2),
      (CountMatrix{{0, 1}, {1, 0}}));
  EXPECT_EQ(
      read_counts(general("pattern", "1099511627776 3 2\n549755813888 3\n549755813889 1\n"), 2),
      (CountMatrix{{0, 1}, {1, 0}}));
}

}  // namespace
}  // namespace shunt
