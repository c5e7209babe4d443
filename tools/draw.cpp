// shunt draw: schedules, traffic, links and timelines as SVG.
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "exchange_options.hpp"
#include "model/timeline_file.hpp"
#include "output_file.hpp"
#include "picture/gantt_picture.hpp"
#include "picture/link_picture.hpp"
#include "picture/schedule_picture.hpp"
#include "picture/traffic_picture.hpp"
#include "subcommands.hpp"

namespace shunt {

namespace {

struct Settings {
  AlgorithmOptions exchange;
  TrafficOptions traffic;
  bool linear = false;
  std::string timeline;  ///< path
  std::string output;    ///< path; empty: standard output
};

using Draw = std::string (*)(const Settings&);

std::string schedule(const Settings& settings) {
  const auto machine = settings.exchange.machine();
  return draw_schedule(*settings.exchange.make(machine.get()), machine.get());
}

std::string traffic(const Settings& settings) {
  const auto algorithm = settings.exchange.make(settings.exchange.machine().get());
  return draw_traffic(*algorithm, *settings.traffic.make(algorithm->ranks()),
                      settings.traffic.element,
                      settings.linear ? Spacing::linear : Spacing::logarithmic);
}

std::string links(const Settings& settings) {
  const auto algorithm = settings.exchange.make(settings.exchange.machine().get());
  return draw_links(*algorithm, *settings.traffic.make(algorithm->ranks()),
                    settings.traffic.element);
}

std::string gantt(const Settings& settings) {
  return draw_gantt(read_timeline(settings.timeline),
                    std::filesystem::path(settings.timeline).filename().string());
}

CLI::App* add_picture(CLI::App& draw, const std::shared_ptr<Settings>& settings,
                      const std::string& name, const std::string& description, Draw picture) {
  CLI::App* command = draw.add_subcommand(name, description);
  command->add_option("-o,--output", settings->output, "File; default: standard output");
  command->callback([settings, picture] { write_output(settings->output, picture(*settings)); });
  return command;
}

}  // namespace

void add_draw(CLI::App& app) {
  CLI::App* command = app.add_subcommand("draw", "Draw a picture, as SVG");
  command->callback([command] {
    if (command->get_subcommands().empty()) throw CLI::RequiredError("what to draw");
  });
  auto settings = std::make_shared<Settings>();
  settings->traffic.traffic = "uniform";

  CLI::App* table =
      add_picture(*command, settings, "schedule", "Who sends to whom at which step", schedule);
  settings->exchange.add_to(*table);

  CLI::App* maps =
      add_picture(*command, settings, "traffic",
                  "What ranks hold, and the messages of each stage, as heat maps", traffic);
  settings->exchange.add_to(*maps);
  settings->traffic.add_to(*maps);
  maps->add_flag("--linear", settings->linear, "Shades by bytes, not by their logarithm");

  CLI::App* torus =
      add_picture(*command, settings, "links",
                  "The bytes on the links of a torus, by an algorithm made for one", links);
  settings->exchange.add_to(*torus);
  settings->traffic.add_to(*torus);

  CLI::App* chart = add_picture(*command, settings, "gantt",
                                "The messages of a timeline (docs/formats.md) over time", gantt);
  chart->add_option("file", settings->timeline, "Timeline")->required();
}

}  // namespace shunt
