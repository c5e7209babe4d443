#include "tools/common/source_options.hpp"

#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "algorithms/allgather_registry.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/surroundings.hpp"
#include "lab/traffic/source_patterns.hpp"
#include "lab/traffic/trace_use.hpp"
#include "model/parse.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

constexpr Rank kMostSourceRanks = 4096;

}  // namespace

std::string source_pattern_names() {
  constexpr std::size_t kOnALine = 4;
  std::string names;
  for (std::size_t i = 0; i < source_patterns().size(); ++i) {
    if (i > 0) names += i % kOnALine == 0 ? ",\n" : ", ";
    names += source_patterns()[i].name;
  }
  return names;
}

Option SourceOptions::add_to(Command command) {
  const Option option =
      command.add_option("--sources", sources,
                         fmt::format("Show an all-gather: a recorded one, as FILE.shunt#2; "
                                     "or\nNAME:COUNT, from so many ranks, "
                                     "placed on an array as\none of these says:\n{}",
                                     source_pattern_names()));
  command.add_option("--array", array, "The array. Default: a nearly square one").needs(option);
  command.add_option("--length", length, "Bytes of the block of a source")
      .between(1, Bytes{1} << 40)
      .default_text(std::to_string(kUsualLength))
      .needs(option);
  return option;
}

std::optional<Extents> SourceOptions::given_array() const {
  if (array.empty()) return std::nullopt;
  return Extents::parse(array);
}

Extents SourceOptions::array_of(Rank ranks) const {
  return array_or_usual(array, ranks, 1, Surroundings::flat(ranks), "an array");
}

std::unique_ptr<Allgather> SourceOptions::allgather(const AlgorithmOptions& exchange) const {
  const std::string& name = exchange.algorithm;
  if (sources.empty()) {
    if (!is_allgather(name)) return nullptr;
    throw Error(ErrorKind::argument, fmt::format("{} is an all-gather and needs --sources", name));
  }
  std::shared_ptr<const Machine> machine = exchange.machine();
  const Rank ranks = machine != nullptr ? machine->ranks() : *exchange.ranks;
  Surroundings surroundings = Surroundings::flat(ranks);
  if (machine != nullptr) surroundings.machine = [machine] { return machine; };
  surroundings.torus = [array = given_array()] { return array; };
  return make_allgather(name, make(ranks), surroundings);
}

Sources SourceOptions::make(Rank ranks) const {
  if (ranks > kMostSourceRanks) {
    throw Error(ErrorKind::argument,
                fmt::format("an all-gather among {} ranks is too large to show: the most is {}",
                            ranks, kMostSourceRanks));
  }
  if (is_trace_specification(sources)) {
    if (length) {
      throw Error(
          ErrorKind::argument,
          fmt::format("{} says which ranks have which blocks, and goes without --length", sources));
    }
    return read_trace_sources(sources, ranks);
  }
  std::string_view count = sources;
  const std::string_view name = take_until(':', count);
  const SourceShape shape{.array = array_of(ranks),
                          .count = positive_number(count, "number of sources")};
  return with_equal_blocks(ranks, place_sources(name, shape), length.value_or(kUsualLength));
}

}  // namespace shunt
