// shunt draw: schedules, traffic, all-gathers, links and timelines as SVG.
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "lab/flow/torus_links.hpp"
#include "lab/picture/gantt_picture.hpp"
#include "lab/picture/holdings_picture.hpp"
#include "lab/picture/link_picture.hpp"
#include "lab/picture/schedule_picture.hpp"
#include "lab/picture/traffic_picture.hpp"
#include "lab/simulation/timeline_file.hpp"
#include "tools/common/exchange_options.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/source_options.hpp"
#include "tools/common/subcommands.hpp"

namespace shunt {

namespace {

struct DrawSettings {
  AlgorithmOptions exchange;
  TrafficOptions traffic;
  SourceOptions sources;
  bool linear = false;
  bool mesh = false;
  std::string timeline;  ///< path
  std::string output;    ///< path; empty: standard output
};

using Draw = std::string (*)(const DrawSettings&);

std::string schedule(const DrawSettings& settings) {
  const auto allgather = settings.sources.allgather(settings.exchange);
  const auto machine = settings.exchange.machine();
  if (allgather != nullptr) {
    const auto torus = settings.sources.given_array();
    return draw_schedule(*allgather, machine.get(), torus ? &*torus : nullptr);
  }
  return draw_schedule(*settings.exchange.make(machine.get()), machine.get());
}

std::string traffic(const DrawSettings& settings) {
  const Spacing spacing = settings.linear ? Spacing::linear : Spacing::logarithmic;
  if (const auto allgather = settings.sources.allgather(settings.exchange)) {
    return draw_holdings(*allgather, spacing);
  }
  const auto algorithm = settings.exchange.make(settings.exchange.machine().get());
  return draw_traffic(*algorithm, *settings.traffic.make(algorithm->ranks()),
                      settings.traffic.element, spacing);
}

std::string links(const DrawSettings& settings) {
  if (const auto allgather = settings.sources.allgather(settings.exchange)) {
    return draw_links(*allgather, settings.sources.array_of(allgather->ranks()),
                      settings.mesh ? Rim::open : Rim::closed);
  }
  const auto algorithm = settings.exchange.make(settings.exchange.machine().get());
  return draw_links(*algorithm, *settings.traffic.make(algorithm->ranks()),
                    settings.traffic.element);
}

std::string gantt(const DrawSettings& settings) {
  return draw_gantt(read_timeline(settings.timeline),
                    std::filesystem::path(settings.timeline).filename().string());
}

Command add_picture(Command draw, const std::shared_ptr<DrawSettings>& settings,
                    const std::string& name, const std::string& description, Draw picture) {
  const Command command = draw.add_subcommand(name, description);
  command.add_option("-o,--output", settings->output, "File; default: standard output");
  command.set_action([settings, picture] { write_output(settings->output, picture(*settings)); });
  return command;
}

/// Adds the options of an exchange, or of an all-gather in its place.
void add_traffic(Command command, DrawSettings& settings) {
  settings.exchange.add_to(command);
  settings.traffic.add_to(command);
  settings.sources.add_to(command)
      .needs(command.option("--algorithm"))
      .excludes(command.option("--traffic"));
}

}  // namespace

void add_draw(Command app) {
  const Command command = app.add_subcommand("draw", "Draw a picture, as SVG");
  command.require_subcommand("what to draw");
  auto settings = std::make_shared<DrawSettings>();
  settings->traffic.traffic = "uniform";

  const Command table =
      add_picture(command, settings, "schedule", "Who sends to whom at which step", schedule);
  settings->exchange.add_to(table);
  settings->sources.add_to(table).needs(table.option("--algorithm"));

  const Command maps =
      add_picture(command, settings, "traffic",
                  "What ranks hold, and the messages of each stage, as heat maps", traffic);
  add_traffic(maps, *settings);
  maps.add_flag("--linear", settings->linear, "Shades by bytes, not by their logarithm");

  // Most algorithms are not made for the links of a torus.
  auto on_torus = std::make_shared<DrawSettings>(*settings);
  on_torus->exchange.algorithm = "torus-split";
  const Command torus = add_picture(command, on_torus, "links",
                                    "The bytes on the links of a torus, by an algorithm made "
                                    "for\none, or by an all-gather on one",
                                    links);
  add_traffic(torus, *on_torus);
  torus.add_flag("--mesh", on_torus->mesh, "The all-gather is on a mesh: no links over the rim")
      .needs(torus.option("--sources"));

  const Command chart = add_picture(
      command, settings, "gantt", "The messages of a timeline (docs/formats.md) over time", gantt);
  chart.add_option("file", settings->timeline, "Timeline").required();
}

}  // namespace shunt
