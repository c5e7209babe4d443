// Aligned tables for 80 columns of text, with the same data as JSON.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/common/output_file.hpp"
#include "tools/common/page.hpp"

namespace shunt {

/// One cell: what a reader sees, and the value that a program reads.
struct Cell {
  Cell() = default;  ///< nothing; null in JSON
  Cell(std::string_view content) : text(content), value(text) {}
  Cell(const std::string& content) : Cell(std::string_view(content)) {}
  Cell(const char* content) : Cell(std::string_view(content)) {}
  Cell(std::integral auto number) : text(std::to_string(number)), value(number) {}
  /// A number whose printed form differs from its value (rounded, or marked).
  Cell(std::string shown, nlohmann::json meant) : text(std::move(shown)), value(std::move(meant)) {}

  std::string text;
  nlohmann::json value;
};

/// `number` with `decimals` digits after the point.
[[nodiscard]] Cell rounded(double number, int decimals);

enum class Align { left, right };

/// A column, and what JSON calls it: a key in snake_case, with the unit of what is measured.
struct Column {
  std::string heading;
  Align align = Align::right;
  std::string key = {};  ///< empty: of the heading, as `derived_key` has it
  /// The key of the heading, where several columns say the same of several things that the headings
  /// name. `key` is then equal for all of them, and JSON has a row for each thing.
  std::string series = {};
};

/// The letters, in lower case, and digits of `heading`, with "_" for each run of anything else
/// between them.
[[nodiscard]] std::string derived_key(std::string_view heading);

/// A heading, then rows. Where the lines would exceed the page, the cells of left-aligned columns,
/// and all headings, are wrapped as of Break. Where that is not enough, the columns come in parts,
/// each beginning with what names a row.
class Table {
 public:
  /// Throws Error(internal) where a key is not in snake_case, or that of two columns, and where
  /// there is more than one series.
  explicit Table(std::vector<Column> columns);

  /// One cell per column.
  void add(std::vector<Cell> row);

  [[nodiscard]] std::string text() const;

  /// One object per row, or where there is a series one for each of it.
  [[nodiscard]] nlohmann::json json() const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths() const;
  /// The widest of each column's cells and its heading. `width_by` says it of text that may be
  /// wrapped; other cells take all that they have.
  [[nodiscard]] std::vector<std::size_t> widths_by(std::size_t (*width_by)(std::string_view)) const;
  /// While the page is exceeded, that column yields which adds fewest lines, and none below its
  /// `least`.
  void narrow_to(const std::vector<std::size_t>& least, std::vector<std::size_t>& widths) const;
  /// Lines of the heading and all rows in columns of these widths.
  [[nodiscard]] std::size_t lines(const std::vector<std::size_t>& widths) const;

  [[nodiscard]] std::size_t names() const;
  [[nodiscard]] std::string text_in_parts(const std::vector<std::size_t>& widths) const;
  /// The columns that name a row, and those from `first` to before `end`.
  [[nodiscard]] Table part(std::size_t first, std::size_t end) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

/// Prints the table, or a document of this format with its rows.
void print(const Table& table, const DocumentFormat& format, bool as_json);

}  // namespace shunt
