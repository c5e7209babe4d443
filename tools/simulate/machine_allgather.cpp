#include "tools/simulate/machine_allgather.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "algorithms/allgather_registry.hpp"
#include "algorithms/parameters.hpp"
#include "lab/simulation/simulate.hpp"
#include "lab/simulation/timeline_file.hpp"
#include "lab/traffic/source_patterns.hpp"
#include "lab/traffic/trace_use.hpp"
#include "model/counted.hpp"
#include "shunt/error.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/page.hpp"
#include "tools/common/source_options.hpp"
#include "tools/simulate/machine_ways.hpp"

namespace shunt {

namespace {

constexpr const char* kUsualDistribution = "equal";

Bytes longest_of(const Sources& sources) {
  return sources.count() == 0 ? 0 : sources.length(sources.longest());
}

Surroundings surroundings_of(const OccupiedMachine& occupied, const std::string& array) {
  Surroundings surroundings = Surroundings::known(occupied.layout);
  if (!array.empty()) {
    surroundings.torus = [array] { return Extents::parse(array); };
  } else if (occupied.machine.is_array()) {
    surroundings.torus = [extents = occupied.machine.extents] { return Extents(extents); };
  }
  return surroundings;
}

}  // namespace

Option AllgatherChoice::add_to(Command command) {
  const Option option =
      command.add_option("--sources", sources,
                         "Simulate an all-gather from so many ranks instead of an\nexchange; or a "
                         "recorded one, as FILE.shunt#2");
  command
      .add_option("--distribution", distribution,
                  fmt::format("Where they are on the array:\n{}", source_pattern_names()))
      .default_text(kUsualDistribution)
      .needs(option);
  command
      .add_option("--array", array,
                  "The array, and the extents of a simulated torus or mesh.\nDefault: those of the "
                  "machine, or a nearly square one")
      .needs(option);
  command.add_option("--length", given, "Bytes of the block of a source")
      .between(1, Bytes{1} << 40)
      .default_text(std::to_string(kUsualLength))
      .needs(option);
  return option;
}

bool AllgatherChoice::is_recorded() const { return is_trace_specification(sources); }

std::vector<Bytes> AllgatherChoice::lengths() const {
  if (is_recorded() && (distribution || !given.empty())) {
    throw Error(ErrorKind::argument,
                fmt::format("{} says which ranks have which blocks, and goes with neither "
                            "--distribution nor --length",
                            sources));
  }
  return given.empty() ? std::vector{kUsualLength} : given;
}

Sources AllgatherChoice::make(const Extents& on, std::uint64_t seed, Bytes length) const {
  if (is_recorded()) return read_trace_sources(sources, on.ranks());
  const SourceShape shape{
      .array = on, .count = positive_number(sources, "number of sources"), .seed = seed};
  return with_equal_blocks(on.ranks(),
                           place_sources(distribution.value_or(kUsualDistribution), shape), length);
}

MachineAllgather::MachineAllgather(const ContestSettings& settings, const AllgatherChoice& choice,
                                   const OccupiedMachine& occupied, Bytes length)
    : settings_(settings),
      choice_(choice),
      occupied_(occupied),
      surroundings_(surroundings_of(occupied, choice.array)),
      array_(array_or_usual(choice.array, occupied.layout.ranks(), 1, surroundings_, "an array")),
      sources_(choice.make(array_, settings.seed, length)) {
  const Rank ranks = occupied.layout.ranks();
  job_.blocks = sources_.lengths();
  job_.grain = settings.grain;
  job_.window = window_of(settings, ranks);
  // What a rank receives, and what that is compared with.
  const double total = 2.0 * ranks * static_cast<double>(sources_.total());
  job_.folded = total > static_cast<double>(settings.memory) * 1048576;
  for (const std::string& name : allgathers_for(occupied, settings.algorithms, surroundings_)) {
    for (const std::string& mode : settings.modes) {
      for (const std::string& form : settings.forms) job_.ways.push_back({name, mode, form});
    }
  }
  built_in_ = settings.built_in;
  const bool alike = std::ranges::all_of(
      job_.blocks, [&](Bytes block) { return block > 0 && block == job_.blocks.front(); });
  for (const std::string& name : built_in_) check_built_in_allgather(name, alike);
  if (built_in_.empty()) built_in_ = built_in_allgathers(ranks);
}

void MachineAllgather::model() {
  const PortMachine machine = modelled_machine(settings_, occupied_);
  const auto keep = settings_.timeline.empty() ? Transfers::forget : Transfers::keep;
  for (const std::string& name : allgathers_for(occupied_, settings_.algorithms, surroundings_)) {
    const auto simulated = simulate(*make_allgather(name, sources_, surroundings_), machine, keep);
    times_.add({{name, "", "model"}, simulated.seconds});
    if (keep == Transfers::keep) {
      write_output(settings_.timeline, timeline_text(simulated.timeline));
    }
  }
}

std::string MachineAllgather::verdict() const {
  if (settings_.fast) return fmt::format("modelled {}\n", counted(times_.size(), "all-gather"));
  return times_.verdict(!job_.folded, "all-gather");
}

std::string MachineAllgather::title() const {
  const std::string where = fmt::format("{} ({}) of {}", counted(occupied_.layout.ranks(), "rank"),
                                        array_.name(), occupied_.machine.name);
  if (choice_.is_recorded()) {
    return paragraph(fmt::format("{}: {}, {} in all, on {}", choice_.sources,
                                 counted(sources_.count(), "source"),
                                 counted(sources_.total(), "byte"), where));
  }
  return paragraph(fmt::format("{}:{} of {}, blocks of {}",
                               choice_.distribution.value_or(kUsualDistribution), sources_.count(),
                               where, counted(longest_of(sources_), "byte")));
}

nlohmann::json MachineAllgather::json() const {
  return {
      {"machine", occupied_.machine.name},
      {"ranks", occupied_.layout.ranks()},
      {"sources", sources_.count()},
      {choice_.is_recorded() ? "trace" : "distribution",
       choice_.is_recorded() ? choice_.sources : choice_.distribution.value_or(kUsualDistribution)},
      {"array", array_.name()},
      {"block_bytes", longest_of(sources_)},
      {"verified", is_verified()},
      {"wrong_bytes", wrong_bytes()},
      {"results", table().json()}};
}

}  // namespace shunt
