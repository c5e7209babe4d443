#include "lab/traffic/matrix_market.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "lab/traffic/matrix_kind.hpp"
#include "lab/traffic/number_text.hpp"
#include "lab/traffic/traffic_sparse.hpp"
#include "model/input_file.hpp"
#include "model/parse.hpp"

namespace shunt {
namespace {

/// What stands in the line of an entry.
struct EntryWords {
  std::size_t number;
  const char* names;
};

EntryWords entry_words(MatrixField field) {
  if (field == MatrixField::pattern) return {2, "row and column"};
  if (field == MatrixField::complex) return {4, "row, column, real and imaginary part"};
  return {3, "row, column and value"};
}

/// Rows, or columns, in blocks of one length: a block for each rank.
struct DealtOut {
  std::int64_t all = 0;
  std::int64_t block = 1;

  DealtOut() = default;
  DealtOut(std::int64_t number, std::int64_t ranks)
      : all(number), block(number / ranks + (number % ranks != 0 ? 1 : 0)) {}

  /// The rank that has the row, or the column, with this index from 0.
  [[nodiscard]] Rank owner(std::int64_t index) const { return static_cast<Rank>(index / block); }
};

class MatrixReader {
 public:
  MatrixReader(std::string path, Rank ranks)
      : file_(std::move(path)), counts_(static_cast<std::size_t>(ranks)), ranks_(ranks) {}

  std::vector<SparseRow> read() {
    kind_ = read_matrix_kind(file_);
    entry_words_ = entry_words(kind_.field);
    read_size();
    for (std::int64_t entry = 0; entry < entries_; ++entry) {
      if (!next_content_line()) {
        file_.fail(fmt::format("the file ends after {} of {} entries", entry, entries_));
      }
      read_entry();
    }
    if (next_content_line()) file_.fail(fmt::format("there are more than {} entries", entries_));
    return sparse_rows();
  }

 private:
  void read_size() {
    if (!next_content_line()) file_.fail("the line of sizes is missing");
    if (words_.size() != 3) {
      file_.fail(
          fmt::format("the line of sizes must have 3 words, rows, columns and entries, but "
                      "has {}",
                      words_.size()));
    }
    rows_ = {whole_number(words_[0], "number of rows", 0, INT64_MAX), ranks_};
    columns_ = {whole_number(words_[1], "number of columns", 0, INT64_MAX), ranks_};
    entries_ = whole_number(words_[2], "number of entries", 0, INT64_MAX);
    if (!is_general() && rows_.all != columns_.all) {
      file_.fail(fmt::format("a {} matrix must be square, but this one is {} x {}",
                             name_of(kind_.symmetry), rows_.all, columns_.all));
    }
    if (entries_ > 0 && (rows_.all == 0 || columns_.all == 0)) {
      file_.fail(fmt::format("a matrix of {} x {} must have no entries, not {}", rows_.all,
                             columns_.all, entries_));
    }
    // The values of a skew-symmetric matrix are negative on one side, and so no counts.
    holds_counts_ = kind_.field == MatrixField::integer && rows_.all == ranks_ &&
                    columns_.all == ranks_ && kind_.symmetry != MatrixSymmetry::skew_symmetric;
  }

  void read_entry() {
    if (words_.size() != entry_words_.number) {
      file_.fail(fmt::format("an entry of the field {} must have {} words, {}, but the line has {}",
                             name_of(kind_.field), entry_words_.number, entry_words_.names,
                             words_.size()));
    }
    const std::int64_t row = whole_number(words_[0], "row", 1, rows_.all) - 1;
    const std::int64_t column = whole_number(words_[1], "column", 1, columns_.all) - 1;
    if (!is_general()) check_triangle(row, column);
    const Bytes count = read_count();
    add(row, column, count);
    if (!is_general() && column != row) add(column, row, count);
  }

  [[nodiscard]] bool is_general() const { return kind_.symmetry == MatrixSymmetry::general; }

  /// Only one of two entries that mirror each other is kept.
  void check_triangle(std::int64_t row, std::int64_t column) const {
    const bool has_diagonal = kind_.symmetry != MatrixSymmetry::skew_symmetric;
    if (column < row || (column == row && has_diagonal)) return;
    file_.fail(
        fmt::format("row {}, column {} is {} the diagonal, but the entries of a {} matrix "
                    "must be {} it",
                    row + 1, column + 1, column > row ? "above" : "on", name_of(kind_.symmetry),
                    has_diagonal ? "on or below" : "below"));
  }

  /// What the entry adds to its block.
  Bytes read_count() const {
    if (holds_counts_) return whole_number(words_[2], "count", 0, INT64_MAX);
    const bool is_integer = kind_.field == MatrixField::integer;
    for (std::size_t k = 2; k < words_.size(); ++k) {
      if (is_integer ? is_whole_number(words_[k]) : is_real_number(words_[k])) continue;
      file_.fail(
          fmt::format("the value \"{}\" is not a {}number", words_[k], is_integer ? "whole " : ""));
    }
    return 1;
  }

  void add(std::int64_t row, std::int64_t column, Bytes count) {
    if (count == 0) return;
    Bytes& sum = counts_[static_cast<std::size_t>(rows_.owner(row))][columns_.owner(column)];
    if (__builtin_add_overflow(sum, count, &sum)) file_.fail("a count exceeds 64 bits");
  }

  /// Reads the words of the next line that is neither blank nor a comment.
  bool next_content_line() {
    while (file_.next_line(line_, kLongestMatrixLine)) {
      words_.clear();
      std::string_view rest = line_;
      for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
        words_.push_back(word);
      }
      if (!words_.empty() && words_.front().front() != '%') return true;
    }
    return false;
  }

  std::int64_t whole_number(std::string_view word, const char* what, std::int64_t least,
                            std::int64_t most) const {
    const auto value =
        is_whole_number(word) ? parse_number<std::int64_t>(without_plus(word)) : std::nullopt;
    if (!value || *value < least || *value > most) {
      file_.fail(fmt::format("the {} is \"{}\", but must be a whole number from {} to {}", what,
                             word, least, most));
    }
    return *value;
  }

  [[nodiscard]] std::vector<SparseRow> sparse_rows() const {
    std::vector<SparseRow> rows;
    for (const auto& counts : counts_) {
      SparseRow& row = rows.emplace_back();
      for (const auto& [destination, count] : counts) row.push_back({destination, count});
      std::ranges::sort(row, {}, &SparseCount::destination);
    }
    return rows;
  }

  InputFile file_;
  std::string line_;
  std::vector<std::string_view> words_;  ///< of the line
  std::vector<std::unordered_map<Rank, Bytes>> counts_;
  std::int64_t ranks_;
  MatrixKind kind_;
  EntryWords entry_words_{};
  DealtOut rows_;
  DealtOut columns_;
  std::int64_t entries_ = 0;
  bool holds_counts_ = false;  ///< the values are counts from rank to rank
};

}  // namespace

bool is_matrix_specification(std::string_view specification) {
  return specification.ends_with(".mtx");
}

std::unique_ptr<Traffic> read_matrix_market(std::string_view path, Rank ranks) {
  return std::make_unique<SparseTraffic>(std::string(path),
                                         MatrixReader(std::string(path), ranks).read());
}

}  // namespace shunt
