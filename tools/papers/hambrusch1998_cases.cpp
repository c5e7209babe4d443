#include <algorithm>

#include <fmt/format.h>

#include "algorithms/allgather_registry.hpp"
#include "lab/flow/allgather_flow.hpp"
#include "lab/traffic/source_patterns.hpp"
#include "tools/papers/hambrusch1998.hpp"

namespace shunt::hambrusch1998 {

Sources sources_of(const Case& of) {
  const Extents array = Extents::parse(of.array);
  return with_equal_blocks(
      array.ranks(), place_sources(of.letter, {.array = array, .count = of.count}), of.length);
}

std::unique_ptr<Allgather> made(const std::string& name, const Case& of) {
  // The line of recursive-halving goes through the array like a snake.
  const bool takes_array =
      name.find("halving") != std::string::npos || name.starts_with("reposition");
  return make_allgather(takes_array ? fmt::format("{}:{}", name, of.array) : name, sources_of(of));
}

double seconds(const std::string& name, const Case& of) {
  const auto allgather = made(name, of);
  return seconds_of(follow_allgather(*allgather), allgather->ranks(), kParagon);
}

double gain(const Case& of) {
  const double plain = seconds("halving-by-source", of);
  const double moved = seconds("reposition-by-source", of);
  return 100 * (plain - moved) / std::max(plain, moved);
}

}  // namespace shunt::hambrusch1998
