#include "tools/common/table.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt {

namespace {

constexpr std::string_view kGap = "  ";

template <Break where>
std::size_t widest(std::string_view text) {
  return widest_unit(text, where);
}

std::string padding(std::string_view text, std::size_t width) {
  return std::string(width - std::min(width, width_of(text)), ' ');
}

std::size_t total_of(const std::vector<std::size_t>& widths) {
  return std::accumulate(widths.begin(), widths.end(), kGap.size() * (widths.size() - 1));
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
      const std::string blanks = padding(part, widths[column]);
      const bool is_left = columns[column].align == Align::left;
      line.append(is_left ? part : blanks).append(is_left ? blanks : part);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out.append(line).append("\n");
  }
}

}  // namespace

Cell rounded(double number, int decimals) {
  return {fmt::format("{:.{}f}", number, decimals), number};
}

std::string derived_key(std::string_view heading) {
  std::string key;
  bool apart = false;
  for (const char letter : heading) {
    const bool small = letter >= 'a' && letter <= 'z';
    const bool large = letter >= 'A' && letter <= 'Z';
    const bool digit = letter >= '0' && letter <= '9';
    if (!small && !large && !digit) {
      apart = true;
      continue;
    }
    if (apart && !key.empty()) key += '_';
    apart = false;
    key += static_cast<char>(large ? letter - 'A' + 'a' : letter);
  }
  return key;
}

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
  std::set<std::string> keys;
  const Column* series = nullptr;
  const auto enter = [&keys](const std::string& key) {
    const bool is_key = key == derived_key(key) && !key.empty() && key.front() >= 'a';
    if (!is_key || !keys.insert(key).second) {
      throw Error(
          ErrorKind::internal,
          fmt::format("the key \"{}\" of a column must be in snake_case, begin with a letter, "
                      "and be that of no other column",
                      key));
    }
  };
  for (Column& column : columns_) {
    if (column.key.empty()) column.key = derived_key(column.heading);
    if (!column.series.empty() && series != nullptr) {
      if (column.series == series->series && column.key == series->key) continue;
      throw Error(ErrorKind::internal,
                  fmt::format("the column \"{}\" is of a second series", column.heading));
    }
    enter(column.key);
    if (column.series.empty()) continue;
    enter(column.series);
    series = &column;
  }
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
  std::vector<std::size_t> widths = widths_by(width_of);
  narrow_to(widths_by(widest<Break::words>), widths);
  narrow_to(widths_by(widest<Break::parts>), widths);
  narrow_to(widths_by(widest<Break::hyphens>), widths);
  return widths;
}

std::vector<std::size_t> Table::widths_by(std::size_t (*width_by)(std::string_view)) const {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    widths.push_back(width_by(columns_[column].heading));
    for (const auto& row : rows_) {
      const std::string& text = row[column].text;
      widths.back() = std::max(
          widths.back(), columns_[column].align == Align::left ? width_by(text) : width_of(text));
    }
  }
  return widths;
}

void Table::narrow_to(const std::vector<std::size_t>& least,
                      std::vector<std::size_t>& widths) const {
  std::size_t total = total_of(widths);
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

/// What names a row: the columns of text that the table begins with, or the first one.
std::size_t Table::names() const {
  const auto first = std::ranges::find(columns_, Align::right, &Column::align);
  const auto texts = static_cast<std::size_t>(first - columns_.begin());
  return texts == 0 || texts == columns_.size() ? 1 : texts;
}

std::string Table::text_in_parts(const std::vector<std::size_t>& widths) const {
  std::string out;
  for (std::size_t first = names(); first < columns_.size();) {
    std::size_t end = first;
    std::size_t width = 0;
    for (std::size_t name = 0; name < names(); ++name) width += widths[name];
    width += kGap.size() * names();
    for (; end < columns_.size(); ++end) {
      width += widths[end];
      if (end > first && width > kPageWidth) break;
      width += kGap.size();
    }
    out.append(out.empty() ? "" : "\n").append(part(first, end).text());
    first = end;
  }
  return out;
}

Table Table::part(std::size_t first, std::size_t end) const {
  const auto chosen = [&](const auto& all) {
    const std::span whole(all);
    const auto named = whole.first(names());
    const auto shown = whole.subspan(first, end - first);
    auto some = std::vector(named.begin(), named.end());
    some.insert(some.end(), shown.begin(), shown.end());
    return some;
  };
  Table table(chosen(columns_));
  for (const auto& row : rows_) table.add(chosen(row));
  return table;
}

std::string Table::text() const {
  const std::vector<std::size_t> widths = this->widths();
  if (total_of(widths) > kPageWidth && columns_.size() > names() + 1) return text_in_parts(widths);
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
    std::vector<std::size_t> series;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (columns_[column].series.empty()) {
        object[columns_[column].key] = row[column].value;
      } else {
        series.push_back(column);
      }
    }
    for (const std::size_t column : series) {
      rows.push_back(object);
      rows.back()[columns_[column].series] = columns_[column].heading;
      rows.back()[columns_[column].key] = row[column].value;
    }
    if (series.empty()) rows.push_back(std::move(object));
  }
  return rows;
}

void print(const Table& table, const DocumentFormat& format, bool as_json) {
  if (as_json) {
    print_json(format, {{"rows", table.json()}});
  } else {
    fmt::print("{}", table.text());
  }
}

}  // namespace shunt
