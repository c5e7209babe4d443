#include "model/node_layout.hpp"

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/input_file.hpp"
#include "model/parse.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

constexpr std::size_t kLongestLayoutLine = std::size_t{1} << 24;

/// Whether Machine::parse is meant: a file of such a name is written "./4" or "./blocked:4".
bool is_word(std::string_view text) {
  return text.starts_with("blocked:") || text.starts_with("round-robin:") ||
         text.find_first_not_of("0123456789,-") == std::string_view::npos;
}

Machine read_file(const std::string& path, std::optional<Rank> ranks) {
  InputFile file(path);
  std::vector<Rank> nodes;
  for (std::string line; file.next_line(line, kLongestLayoutLine);) {
    std::string_view rest = line;
    for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
      const auto node = parse_number<Rank>(word);
      if (!node || *node < 0) {
        file.fail(fmt::format("\"{}\" is not the number of a node, 0 or more", word));
      }
      if (ranks && std::ssize(nodes) == *ranks) {
        file.fail(fmt::format("there are more numbers of nodes than the {} ranks", *ranks));
      }
      nodes.push_back(*node);
    }
  }
  if (ranks && std::ssize(nodes) != *ranks) {
    throw Error(ErrorKind::argument,
                fmt::format("the file \"{}\" has the nodes of {} ranks, but must have those of {}",
                            path, nodes.size(), *ranks));
  }
  try {
    return Machine(std::move(nodes));
  } catch (const Error& error) {
    throw Error(ErrorKind::argument, fmt::format("the file \"{}\": {}", path, error.what()));
  }
}

}  // namespace

Machine read_node_layout(const std::string& text, std::optional<Rank> ranks) {
  std::error_code error;
  if (is_word(text)) return Machine::parse(text, ranks);
  if (std::filesystem::is_regular_file(text, error)) return read_file(text, ranks);
  throw Error(
      ErrorKind::argument,
      fmt::format("the nodes \"{}\" must be given as blocked:16, round-robin:4, 4,4,2 or the "
                  "name of a file",
                  text));
}

}  // namespace shunt
