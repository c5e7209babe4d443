#include "lab/traffic/graph.hpp"

#include <fmt/format.h>

#include "model/input_file.hpp"
#include "model/parse.hpp"

namespace shunt {
namespace {

constexpr std::size_t kLongestGraphLine = std::size_t{1} << 30;

struct Size {
  std::int32_t vertices;
  std::int64_t edges;
};

Size read_header(InputFile& file, std::string& line) {
  if (!file.next_line(line, kLongestGraphLine)) file.fail("the file is empty");
  std::string_view rest = line;
  const bool named = take_word(rest) == "shunt-graph" && take_word(rest) == "1";
  const auto vertices = parse_number<std::int32_t>(take_word(rest));
  const auto edges = parse_number<std::int64_t>(take_word(rest));
  if (!named || !vertices || *vertices < 0 || *vertices == INT32_MAX || !edges || *edges < 0 ||
      !take_word(rest).empty()) {
    file.fail("the first line must be \"shunt-graph 1\", the number of vertices and of edges");
  }
  return {*vertices, *edges};
}

void read_targets(const InputFile& file, std::string_view line, std::int32_t vertices,
                  std::vector<std::int32_t>& targets) {
  std::int32_t before = -1;
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    const auto gap = parse_number<std::int32_t>(word);
    const std::int32_t most = vertices - 2 - before;
    if (!gap || *gap < 0 || *gap > most) {
      file.fail(fmt::format("the gap \"{}\" must be a whole number from 0 to {}", word, most));
    }
    before += 1 + *gap;
    targets.push_back(before);
  }
}

}  // namespace

std::span<const std::int32_t> Graph::targets_of(std::int32_t vertex) const {
  const auto v = static_cast<std::size_t>(vertex);
  return std::span(targets).subspan(static_cast<std::size_t>(offsets[v]),
                                    static_cast<std::size_t>(offsets[v + 1] - offsets[v]));
}

Graph read_graph(const std::string& path) {
  InputFile file(path);
  std::string line;
  const Size size = read_header(file, line);
  Graph graph;
  // No memory is reserved for sizes that the file claims and may not have.
  for (std::int32_t vertex = 0; vertex < size.vertices; ++vertex) {
    if (!file.next_line(line, kLongestGraphLine)) {
      file.fail(fmt::format("the file ends after {} of {} vertices", vertex, size.vertices));
    }
    read_targets(file, line, size.vertices, graph.targets);
    graph.offsets.push_back(static_cast<std::int64_t>(graph.targets.size()));
  }
  if (file.next_line(line, kLongestGraphLine)) file.fail("the file goes on after its last vertex");
  if (graph.offsets.back() != size.edges) {
    file.fail(fmt::format("the file has {} edges, but its first line says {}", graph.offsets.back(),
                          size.edges));
  }
  return graph;
}

}  // namespace shunt
