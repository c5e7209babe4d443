#include "machine_broadcast.hpp"

#include <fmt/format.h>

#include "algorithms/broadcast_registry.hpp"
#include "algorithms/parameters.hpp"
#include "machine_ways.hpp"
#include "model/source_patterns.hpp"
#include "model/timeline_file.hpp"
#include "output_file.hpp"
#include "shunt/error.hpp"
#include "simulation/simulate.hpp"
#include "source_options.hpp"

namespace shunt {

namespace {

Surroundings surroundings_of(const OccupiedMachine& occupied, const std::string& array) {
  Surroundings surroundings = Surroundings::known(occupied.layout);
  if (!array.empty()) {
    surroundings.torus = [array] { return Extents::parse(array); };
  } else if (occupied.machine.topology == Topology::torus) {
    surroundings.torus = [extents = occupied.machine.extents] { return Extents(extents); };
  }
  return surroundings;
}

}  // namespace

CLI::Option* BroadcastChoice::add_to(CLI::App& command) {
  CLI::Option* const option =
      command
          .add_option("--sources", sources,
                      "Simulate a broadcast from so many ranks instead of an\nexchange")
          ->check(CLI::PositiveNumber);
  command
      .add_option("--distribution", distribution,
                  fmt::format("Where they are on the array:\n{}", source_pattern_names()))
      ->capture_default_str()
      ->needs(option);
  command
      .add_option("--array", array,
                  "The array, and the extents of a simulated torus.\nDefault: those of the torus, "
                  "or a nearly square one")
      ->needs(option);
  command.add_option("--length", lengths, "Bytes of the block of a source")
      ->check(CLI::Range(Bytes{1}, Bytes{1} << 40))
      ->capture_default_str()
      ->needs(option);
  return option;
}

MachineBroadcast::MachineBroadcast(const ContestSettings& settings, const BroadcastChoice& choice,
                                   const OccupiedMachine& occupied, Bytes length)
    : settings_(settings),
      choice_(choice),
      occupied_(occupied),
      surroundings_(surroundings_of(occupied, choice.array)) {
  const Rank ranks = occupied.layout.ranks();
  const Extents array = array_or_usual(choice.array, ranks, 1, surroundings_, "an array");
  array_ = array.name();
  job_.sources = place_sources(choice.distribution,
                               {.array = array, .count = choice.sources, .seed = settings.seed});
  job_.length = length;
  job_.grain = settings.grain;
  job_.window = window_of(settings, ranks);
  // What a rank receives, and what that is compared with.
  const double total = 2.0 * ranks * static_cast<double>(length) * choice.sources;
  job_.folded = total > static_cast<double>(settings.memory) * 1048576;
  for (const std::string& name : broadcasts_for(occupied, settings.algorithms, surroundings_)) {
    for (const std::string& mode : settings.modes) {
      for (const std::string& form : settings.forms) job_.ways.push_back({name, mode, form});
    }
  }
  built_in_ = settings.built_in;
  for (const std::string& name : built_in_) check_built_in_broadcast(name, choice.sources == ranks);
  if (built_in_.empty()) built_in_ = built_in_broadcasts(ranks);
}

void MachineBroadcast::model() {
  const PortMachine machine = port_machine(occupied_.machine, occupied_.layout);
  const Sources sources = Sources::equal(occupied_.layout.ranks(), job_.sources, job_.length);
  const auto keep = settings_.timeline.empty() ? Transfers::forget : Transfers::keep;
  for (const std::string& name : broadcasts_for(occupied_, settings_.algorithms, surroundings_)) {
    const auto simulated = simulate(*make_broadcast(name, sources, surroundings_), machine, keep);
    times_.add({{name, "", "model"}, simulated.seconds});
    if (keep == Transfers::keep) {
      write_output(settings_.timeline, timeline_text(simulated.timeline));
    }
  }
}

std::string MachineBroadcast::verdict() const {
  if (settings_.fast) return fmt::format("modelled {} broadcasts\n", times_.size());
  return times_.verdict(!job_.folded, "broadcasts");
}

std::string MachineBroadcast::title() const {
  return fmt::format("{}:{} of {} ranks ({}) of {}, blocks of {} bytes\n", choice_.distribution,
                     choice_.sources, occupied_.layout.ranks(), array_, occupied_.machine.name,
                     job_.length);
}

nlohmann::json MachineBroadcast::json() const {
  return {{"machine", occupied_.machine.name},
          {"ranks", occupied_.layout.ranks()},
          {"sources", choice_.sources},
          {"distribution", choice_.distribution},
          {"array", array_},
          {"length", job_.length},
          {"verified", !settings_.fast && !job_.folded},
          {"wrong_bytes", wrong_bytes()},
          {"results", table().json()}};
}

}  // namespace shunt
