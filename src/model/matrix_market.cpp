#include "model/matrix_market.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "model/input_file.hpp"
#include "model/parse.hpp"
#include "model/traffic_sparse.hpp"

namespace shunt {
namespace {

/// The format allows lines of 1024 characters.
constexpr std::size_t kLongestMatrixLine = 1024;

enum class Field { pattern, integer, real };

class MatrixReader {
 public:
  MatrixReader(std::string path, Rank ranks)
      : file_(std::move(path)), rows_(static_cast<std::size_t>(ranks)), ranks_(ranks) {}

  std::vector<SparseRow> read() {
    read_banner();
    read_size();
    for (std::int64_t entry = 0; entry < entries_; ++entry) {
      if (!next_content_line()) {
        file_.fail(fmt::format("the file ends after {} of {} entries", entry, entries_));
      }
      read_entry();
    }
    if (next_content_line()) file_.fail(fmt::format("there are more than {} entries", entries_));
    return rows();
  }

 private:
  void read_banner() {
    if (!file_.next_line(line_, kLongestMatrixLine)) file_.fail("the file is empty");
    for (char& c : line_) c = to_lower(c);
    std::string_view rest = line_;
    if (take_word(rest) != "%%matrixmarket" || take_word(rest) != "matrix" ||
        take_word(rest) != "coordinate") {
      file_.fail("the file must begin with \"%%MatrixMarket matrix coordinate\"");
    }
    field_ = field_named(take_word(rest));
    const std::string_view symmetry = take_word(rest);
    if (symmetry != "general" && symmetry != "symmetric") {
      file_.fail(fmt::format("the symmetry is \"{}\", but must be general or symmetric", symmetry));
    }
    symmetric_ = symmetry == "symmetric";
  }

  static char to_lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }

  [[nodiscard]] Field field_named(std::string_view name) const {
    if (name == "pattern") return Field::pattern;
    if (name == "integer") return Field::integer;
    if (name == "real") return Field::real;
    file_.fail(fmt::format("the field is \"{}\", but must be pattern, integer or real", name));
  }

  void read_size() {
    if (!next_content_line()) file_.fail("the line of sizes is missing");
    std::string_view rest = line_;
    order_ = take_integer(rest, "number of rows", 1, INT64_MAX);
    const std::int64_t columns = take_integer(rest, "number of columns", 1, INT64_MAX);
    entries_ = take_integer(rest, "number of entries", 0, INT64_MAX);
    expect_end(rest);
    if (columns != order_) {
      file_.fail(fmt::format("the matrix is {} x {}, but must be square", order_, columns));
    }
    block_ = order_ / ranks_ + (order_ % ranks_ != 0 ? 1 : 0);
  }

  void read_entry() {
    std::string_view rest = line_;
    const std::int64_t row = take_integer(rest, "row", 1, order_) - 1;
    const std::int64_t column = take_integer(rest, "column", 1, order_) - 1;
    const Bytes count = take_count(rest);
    expect_end(rest);
    if (symmetric_ && column > row) {
      file_.fail("a symmetric matrix must have no entry above its diagonal");
    }
    add(row, column, count);
    if (symmetric_ && column != row) add(column, row, count);
  }

  /// What the value of an entry adds to its block.
  Bytes take_count(std::string_view& rest) {
    if (field_ == Field::pattern) return 1;
    if (field_ == Field::integer && order_ == ranks_) {
      return take_integer(rest, "count", 0, INT64_MAX);
    }
    const std::string_view word = take_word(rest);
    const bool good = field_ == Field::integer ? parse_number<std::int64_t>(word).has_value()
                                               : parse_number<double>(word).has_value();
    if (!good) file_.fail(fmt::format("the value \"{}\" is not a number of the field", word));
    return 1;
  }

  void add(std::int64_t row, std::int64_t column, Bytes count) {
    if (count == 0) return;
    Bytes& sum = rows_[static_cast<std::size_t>(row / block_)][static_cast<Rank>(column / block_)];
    if (__builtin_add_overflow(sum, count, &sum)) file_.fail("a count exceeds 64 bits");
  }

  /// Reads the next line that is neither blank nor a comment.
  bool next_content_line() {
    while (file_.next_line(line_, kLongestMatrixLine)) {
      std::string_view rest = line_;
      const std::string_view word = take_word(rest);
      if (!word.empty() && word.front() != '%') return true;
    }
    return false;
  }

  std::int64_t take_integer(std::string_view& rest, const char* what, std::int64_t least,
                            std::int64_t most) {
    const std::string_view word = take_word(rest);
    const auto value = parse_number<std::int64_t>(word);
    if (!value || *value < least || *value > most) {
      file_.fail(fmt::format("the {} is \"{}\", but must be a whole number from {} to {}", what,
                             word, least, most));
    }
    return *value;
  }

  void expect_end(std::string_view rest) const {
    const std::string_view word = take_word(rest);
    if (!word.empty()) file_.fail(fmt::format("\"{}\" is more than the line may hold", word));
  }

  [[nodiscard]] std::vector<SparseRow> rows() const {
    std::vector<SparseRow> rows;
    for (const auto& counts : rows_) {
      SparseRow& row = rows.emplace_back();
      for (const auto& [destination, count] : counts) row.push_back({destination, count});
    }
    return rows;
  }

  InputFile file_;
  std::string line_;
  std::vector<std::map<Rank, Bytes>> rows_;
  std::int64_t ranks_;
  std::int64_t order_ = 0;
  std::int64_t entries_ = 0;
  std::int64_t block_ = 1;
  Field field_ = Field::pattern;
  bool symmetric_ = false;
};

}  // namespace

std::unique_ptr<Traffic> read_matrix_market(std::string_view path, Rank ranks) {
  return std::make_unique<SparseTraffic>(std::string(path),
                                         MatrixReader(std::string(path), ranks).read());
}

}  // namespace shunt
