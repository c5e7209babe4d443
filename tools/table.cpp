#include "table.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "output_file.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

constexpr std::string_view kGap = "  ";

/// After what a line may end, the blank left out: between words; in a word that is too long for a
/// line; in a part of one that still is.
constexpr std::array<std::string_view, 3> kBreaks{" ", " :,/", " :,/-"};

std::vector<std::string_view> units_of(std::string_view text, std::size_t level) {
  std::vector<std::string_view> units;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(kBreaks[level]), text.size() - 1) + 1;
    std::string_view unit = text.substr(0, end);
    if (unit.back() == ' ') unit.remove_suffix(1);
    if (!unit.empty()) units.push_back(unit);
    text.remove_prefix(end);
  }
  return units;
}

std::size_t length_of(std::string_view text) { return text.size(); }

template <std::size_t level>
std::size_t longest_unit(std::string_view text) {
  std::size_t longest = 0;
  for (const std::string_view unit : units_of(text, level)) {
    longest = std::max(longest, unit.size());
  }
  return longest;
}

/// Goes on in the last of `lines`, if there is room.
void wrap(std::string_view text, std::size_t width, std::size_t level,
          std::vector<std::string>& lines) {
  for (const std::string_view unit : units_of(text, level)) {
    const std::string_view gap = level == 0 && !lines.back().empty() ? " " : "";
    if (lines.back().size() + gap.size() + unit.size() <= width) {
      lines.back().append(gap).append(unit);
      continue;
    }
    if (!lines.back().empty()) lines.emplace_back();
    if (unit.size() <= width || level + 1 == kBreaks.size()) {
      lines.back() = unit;
    } else {
      wrap(unit, width, level + 1, lines);
    }
  }
}

/// `text` in lines of at most `width` characters, if there is a way.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  if (text.size() <= width) {
    lines.front() = text;
  } else {
    wrap(text, width, 0, lines);
  }
  return lines;
}

/// Appends cells that are side by side, each of one or more lines.
void append_cells(std::string& out, const std::vector<Column>& columns,
                  const std::vector<std::vector<std::string>>& cells,
                  const std::vector<std::size_t>& widths) {
  std::size_t height = 0;
  for (const auto& lines : cells) height = std::max(height, lines.size());
  for (std::size_t i = 0; i < height; ++i) {
    std::string line;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      const std::string_view part =
          i < cells[column].size() ? std::string_view(cells[column][i]) : std::string_view();
      if (column > 0) line.append(kGap);
      line += columns[column].align == Align::left ? fmt::format("{:<{}}", part, widths[column])
                                                   : fmt::format("{:>{}}", part, widths[column]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out.append(line).append("\n");
  }
}

}  // namespace

Cell rounded(double number, int decimals) {
  return {fmt::format("{:.{}f}", number, decimals), number};
}

void Table::add(std::vector<Cell> row) {
  if (row.size() != columns_.size()) {
    throw Error(ErrorKind::internal, fmt::format("a row of {} cells for a table of {} columns",
                                                 row.size(), columns_.size()));
  }
  rows_.push_back(std::move(row));
}

/// Words are broken only where the page is exceeded otherwise.
std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths = widths_by(length_of);
  narrow_to(widths_by(longest_unit<0>), widths);
  narrow_to(widths_by(longest_unit<1>), widths);
  narrow_to(widths_by(longest_unit<2>), widths);
  return widths;
}

std::vector<std::size_t> Table::widths_by(std::size_t (*width_of)(std::string_view)) const {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    widths.push_back(width_of(columns_[column].heading));
    for (const auto& row : rows_) {
      const std::string& text = row[column].text;
      widths.back() = std::max(
          widths.back(), columns_[column].align == Align::left ? width_of(text) : text.size());
    }
  }
  return widths;
}

void Table::narrow_to(const std::vector<std::size_t>& least,
                      std::vector<std::size_t>& widths) const {
  std::size_t total =
      std::accumulate(widths.begin(), widths.end(), kGap.size() * (widths.size() - 1));
  for (; total > kPageWidth; --total) {
    std::size_t chosen = widths.size();
    std::pair<std::size_t, std::size_t> least_cost;
    for (std::size_t column = 0; column < widths.size(); ++column) {
      if (widths[column] == least[column]) continue;
      std::vector<std::size_t> narrower = widths;
      --narrower[column];
      const std::pair cost(lines(narrower), kPageWidth + total - widths[column]);
      if (chosen == widths.size() || cost < least_cost) {
        chosen = column;
        least_cost = cost;
      }
    }
    if (chosen == widths.size()) return;
    --widths[chosen];
  }
}

std::size_t Table::lines(const std::vector<std::size_t>& widths) const {
  std::size_t sum = 0;
  auto add_row = [&](auto text_of) {
    std::size_t height = 1;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      height = std::max(height, wrapped(text_of(column), widths[column]).size());
    }
    sum += height;
  };
  add_row([&](std::size_t column) { return std::string_view(columns_[column].heading); });
  for (const auto& row : rows_) {
    add_row([&](std::size_t column) { return std::string_view(row[column].text); });
  }
  return sum;
}

std::string Table::text() const {
  const std::vector<std::size_t> widths = this->widths();
  std::vector<std::vector<std::string>> cells;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    cells.push_back(wrapped(columns_[column].heading, widths[column]));
  }
  std::string out;
  append_cells(out, columns_, cells, widths);
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    cells[column] = {std::string(widths[column], '-')};
  }
  append_cells(out, columns_, cells, widths);
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      cells[column] = wrapped(row[column].text, widths[column]);
    }
    append_cells(out, columns_, cells, widths);
  }
  return out;
}

nlohmann::json Table::json() const {
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& row : rows_) {
    nlohmann::json object = nlohmann::json::object();
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      object[columns_[column].heading] = row[column].value;
    }
    rows.push_back(std::move(object));
  }
  return rows;
}

void print(const Table& table, bool as_json) {
  if (as_json) {
    print_json(table.json());
  } else {
    fmt::print("{}", table.text());
  }
}

}  // namespace shunt
