// shunt reproduce: a paper's tables, figures and claims, computed anew.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "shunt/error.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/papers/reproduction.hpp"
#include "tools/simulate/simulation.hpp"

namespace shunt {

namespace {

struct Paper {
  const char* name;
  Reproduction (*reproduce)();
  void (*simulate)(Rank most_ranks, Reproduction& paper);  ///< null: nothing to simulate
};

constexpr Paper kPapers[] = {
    {"guo2000", reproduce_guo2000, nullptr},
    {"hambrusch1998", reproduce_hambrusch1998, simulate_hambrusch1998},
    {"liu2002", reproduce_liu2002, simulate_liu2002},
    {"liu2005", reproduce_liu2005, nullptr},
    {"sanders2002", reproduce_sanders2002, simulate_sanders2002},
};

struct ReproduceSettings {
  std::string paper;
  std::string pictures;
  Rank simulated_ranks = 256;
  bool json = false;
};

std::string paper_names() {
  std::vector<std::string> names;
  for (const Paper& paper : kPapers) names.emplace_back(paper.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

const Paper& paper_of(const std::string& name) {
  const auto* const found = std::ranges::find(kPapers, name, &Paper::name);
  if (found == std::end(kPapers)) {
    throw Error(ErrorKind::argument,
                fmt::format("there is no paper \"{}\"; there are: {}", name, paper_names()));
  }
  return *found;
}

/// Before anything takes long.
void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(ErrorKind::file, fmt::format("cannot make the folder {}", folder));
}

void write_pictures(const Reproduction& reproduction, const std::string& folder) {
  for (const Reproduction::Figure& figure : reproduction.figures) {
    write_output(fmt::format("{}/{}.svg", folder, figure.file), draw_lines(figure.chart));
  }
}

/// The simulated figures, or a sentence that says why there are none.
void add_simulated(const Paper& paper, Rank most_ranks, Reproduction& reproduction) {
  const std::string missing = most_ranks == 0 ? "--simulated-ranks is 0" : why_not_simulated();
  if (missing.empty()) {
    paper.simulate(most_ranks, reproduction);
  } else {
    reproduction.left_out = fmt::format("The simulated figures are left out: {}.", missing);
  }
}

void reproduce(const ReproduceSettings& settings) {
  const Paper& paper = paper_of(settings.paper);
  if (!settings.pictures.empty()) make_folder(settings.pictures);
  Reproduction reproduction = paper.reproduce();
  if (paper.simulate != nullptr) add_simulated(paper, settings.simulated_ranks, reproduction);
  if (!settings.pictures.empty()) write_pictures(reproduction, settings.pictures);
  if (settings.json) {
    print_json({"shunt-reproduce"}, reproduction.json());
  } else {
    fmt::print("{}", reproduction.text());
  }
}

}  // namespace

void add_reproduce(Command app) {
  const Command command =
      app.add_subcommand("reproduce", "Compute a paper's tables, figures and claims anew");
  auto settings = std::make_shared<ReproduceSettings>();
  command.add_option("paper", settings->paper, paper_names()).required();
  command.add_option("--pictures", settings->pictures,
                     "Write the figures into this folder, as SVG");
  command
      .add_option("--simulated-ranks", settings->simulated_ranks,
                  "Ranks of the simulated figures, at most; 0 leaves them\nout. All of them take "
                  "some minutes")
      .shows_default()
      .between(0, 256);
  command.add_flag("--json", settings->json, "Print JSON");
  command.set_action([settings] { reproduce(*settings); });
}

}  // namespace shunt
