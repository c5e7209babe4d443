#include "tools/common/node_table.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "tools/common/table.hpp"

namespace shunt {

namespace {

std::string cell_of(const Step& step, Rank rank) {
  if (step.to == kNoRank) return fmt::format("<{}", step.from);
  if (step.from == kNoRank) return fmt::format(">{}", step.to);
  if (step.to != step.from) return fmt::format("{}<{}", step.to, step.from);
  return step.to == rank ? "=" : std::to_string(step.to);
}

/// A line of the table: what stands before the steps, and the steps.
struct Line {
  std::string label;
  std::vector<std::string> cells;
};

Line headline(int step_count) {
  Line line{"Node  Rank", {}};
  for (int step = 1; step <= step_count; ++step) line.cells.push_back(std::to_string(step));
  return line;
}

Line line_of(const Algorithm& algorithm, int stage, const Machine& machine, Rank rank) {
  const bool first = machine.place_in_node(rank) == 0;
  Line line{fmt::format("{:>4}  {:>4}", first ? std::to_string(machine.node_of(rank)) : "", rank),
            std::vector<std::string>(static_cast<std::size_t>(algorithm.step_count(stage)))};
  for (const Step& step : algorithm.steps(stage, rank)) {
    line.cells[static_cast<std::size_t>(step.number - 1)] = cell_of(step, rank);
  }
  return line;
}

}  // namespace

std::string node_table(const Algorithm& algorithm, int stage, const Machine& machine) {
  const auto steps = static_cast<std::size_t>(algorithm.step_count(stage));
  std::vector<Line> lines{headline(algorithm.step_count(stage))};
  for (Rank node = 0; node < machine.nodes(); ++node) {
    for (const Rank rank : machine.ranks_of(node)) {
      lines.push_back(line_of(algorithm, stage, machine, rank));
    }
  }
  std::size_t width = 0;
  for (const Line& line : lines) {
    for (const std::string& cell : line.cells) width = std::max(width, cell.size());
  }
  const std::size_t abreast = (kPageWidth - lines.front().label.size() - 1) / (width + 1);
  std::string text;
  for (std::size_t begin = 0; begin < steps; begin += abreast) {
    if (begin > 0) text += '\n';
    for (const Line& line : lines) {
      std::string row = line.label + ' ';
      for (std::size_t i = begin; i < std::min(begin + abreast, steps); ++i) {
        row += fmt::format(" {:>{}}", line.cells[i], width);
      }
      row.erase(row.find_last_not_of(' ') + 1);
      text.append(row).append("\n");
    }
  }
  return text;
}

}  // namespace shunt
