// shunt simulate: all exchanges on a machine that one does not have, beside SMPI's built-in ones.
#include "simulation/simulate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "algorithms/registry.hpp"
#include "model/machine_bound.hpp"
#include "model/timeline_file.hpp"
#include "output_file.hpp"
#include "shunt/error.hpp"
#include "shunt/options.hpp"
#include "simulation.hpp"
#include "subcommands.hpp"
#include "table.hpp"

namespace shunt {

namespace {

constexpr const char* kBuiltIn = "built-in";
/// Traffics of more ranks are not looked at block by block.
constexpr Rank kMostDense = 4096;

struct Settings {
  std::string machine;
  bool list = false;
  std::optional<Rank> ranks;
  std::string pattern = "uniform";
  std::vector<Bytes> maxima{1024};
  Bytes background = 1;
  int element = 1;
  std::uint64_t seed = 1;
  std::vector<std::string> algorithms;
  std::vector<std::string> modes{"dual"};
  std::vector<std::string> forms{"plan"};
  std::vector<std::string> built_in;
  Bytes grain = 512;
  int window = 0;  ///< 0: by the number of ranks
  bool fast = false;
  std::string timeline;
  Bytes memory = 2048;
  bool json = false;
};

Error wrong(const std::string& sentence) { return {ErrorKind::argument, sentence}; }

/// A machine as it was asked for.
struct Asked {
  std::filesystem::path path;
  SimulatedMachine machine;
  Machine layout;
};

Asked machine_of(const Settings& settings) {
  const std::filesystem::path path = std::filesystem::absolute(find_machine(settings.machine));
  SimulatedMachine machine = read_machine_file(path);
  Machine layout = machine.with_ranks(settings.ranks.value_or(machine.ranks()));
  return {path, std::move(machine), std::move(layout)};
}

/// Those of the bench, and on a torus those that are made for it.
std::vector<std::string> algorithms_for(const Settings& settings, const Asked& asked) {
  std::vector<std::string> names = settings.algorithms;
  const bool all = names.empty();
  if (all && asked.layout.extents().dimensions() > 1) {
    for (const char* family : {"torus:", "torus-pipeline:", "split:"}) {
      names.push_back(family + asked.layout.extents().name());
    }
  }
  if (all) {
    const std::vector<std::string> by_nodes = node_algorithm_names();
    for (const std::string& name : algorithm_names(asked.layout.ranks())) {
      const bool needs_nodes = std::ranges::find(by_nodes, name) != by_nodes.end();
      const bool has_nodes = asked.machine.ranks_per_node > 1;
      const bool left_out = name.starts_with("groups") || name == "a3-square" ||
                            name.starts_with("ring") || name.starts_with("torus") ||
                            name.starts_with("split");
      if (!left_out && (has_nodes || !needs_nodes)) names.push_back(name);
    }
  }
  std::erase_if(names, [&](const std::string& name) {
    try {
      (void)make_algorithm(name, asked.layout, settings.grain);
      return false;
    } catch (const Error&) {
      if (!all) throw;
      return true;
    }
  });
  return names;
}

bool is_even(const Settings& settings, Rank ranks) {
  return settings.fast && settings.pattern == "uniform" && ranks > kMostDense;
}

bool all_equal(const Traffic& traffic) {
  std::vector<Bytes> row(static_cast<std::size_t>(traffic.ranks()));
  for (Rank rank = 0; rank < traffic.ranks(); ++rank) {
    traffic.row(rank, row);
    if (std::ranges::any_of(row, [&](Bytes count) { return count != traffic.count(0, 0); })) {
      return false;
    }
  }
  return true;
}

/// Throws Error(argument) where SMPI cannot make the exchange as `name` says.
void check_built_in(const std::string& name, const Traffic& traffic) {
  const bool equal_blocks = name.starts_with("alltoall:");
  if (!equal_blocks && !name.starts_with("alltoallv:")) {
    throw wrong(fmt::format("--built-in is \"{}\"; it begins with alltoall: or alltoallv:", name));
  }
  if (equal_blocks && !all_equal(traffic)) {
    throw wrong(fmt::format("--built-in {} takes blocks of one length, which {} has not", name,
                            traffic.name()));
  }
}

/// Good ones of SMPI for such a traffic, and what it knows of other MPI libraries' choices.
std::vector<std::string> built_in_for(const Settings& settings, const Traffic& traffic,
                                      bool folded) {
  if (!settings.built_in.empty()) return settings.built_in;
  std::vector<std::string> names;
  for (const char* name : {"mpich", "ompi", "mvapich2", "impi", "ring"}) {
    names.push_back(fmt::format("alltoallv:{}", name));
  }
  const bool uniform = all_equal(traffic);
  const bool power = std::has_single_bit(static_cast<unsigned>(traffic.ranks()));
  if (power) names.emplace_back("alltoallv:pair");
  if (!uniform) return names;
  for (const char* name : {"mpich", "ompi", "mvapich2", "impi", "ring"}) {
    names.push_back(fmt::format("alltoall:{}", name));
  }
  if (power) names.emplace_back("alltoall:pair");
  // This keeps all data in memory of its own, which is real. 2dmesh and 3dmesh do too, and rest on
  // blocking sends, to which SMPI charges no start-up.
  if (!folded) names.emplace_back("alltoall:bruck");
  return names;
}

bench::SimulationJob job_of(const Settings& settings, Bytes maximum) {
  bench::SimulationJob job;
  job.pattern = settings.pattern;
  job.maximum = maximum;
  job.background = settings.background;
  job.seed = settings.seed;
  job.element = settings.element;
  job.grain = settings.grain;
  return job;
}

/// Nothing where the ratio says nothing.
Cell ratio(double over, double under, int decimals) {
  const double value = over / under;
  return std::isfinite(value) ? rounded(value, decimals) : Cell();
}

/// One traffic on one machine.
class Contest {
 public:
  Contest(const Settings& settings, const Asked& asked, Bytes maximum)
      : settings_(settings),
        asked_(asked),
        job_(job_of(settings, maximum)),
        traffic_(make_traffic(settings.pattern, job_.shape(asked.layout.ranks()))) {
    if (is_even(settings, asked.layout.ranks())) {
      largest_ = maximum * settings.element * asked.layout.ranks();
      bound_ = std::numeric_limits<double>::quiet_NaN();
      return;
    }
    const Loads loads = loads_of(*traffic_, settings.element);
    double total = 0;
    for (const Bytes out : loads.out) total += static_cast<double>(out);
    // Blocks to send, received ones, those to compare them with, and two buffers of a plan.
    job_.folded = 5 * total > static_cast<double>(settings.memory) * 1048576;
    job_.window =
        settings.window > 0 ? settings.window : std::clamp(2048 / asked.layout.ranks(), 4, 64);
    largest_ = std::max(std::ranges::max(loads.out), std::ranges::max(loads.in));
    bound_ = least_seconds(asked.machine, *traffic_, settings.element);
  }

  void run(const Simulation& simulation) {
    job_.ways = ways();
    if (!job_.ways.empty()) add(simulation.run(job_, ""), "");
    best_built_in_ = std::numeric_limits<double>::infinity();
    for (const std::string& name : built_in_for(settings_, *traffic_, job_.folded)) {
      fmt::print(stderr, "{}: ", name);
      job_.ways = {{name.substr(0, name.find(':')), "", ""}};
      add(simulation.run(job_, name), name);
      best_built_in_ = std::min(best_built_in_, times_.back().seconds);
    }
  }

  /// By the pure model instead: step by step, or on a torus all ports at once. Nothing is moved.
  void model() {
    const PortMachine machine = port_machine(asked_.machine, asked_.layout);
    best_built_in_ = std::numeric_limits<double>::quiet_NaN();
    const auto keep = settings_.timeline.empty() ? Transfers::forget : Transfers::keep;
    for (const std::string& name : algorithms_for(settings_, asked_)) {
      const auto algorithm = make_algorithm(name, asked_.layout, settings_.grain);
      const SimulatedExchange exchange =
          is_even(settings_, asked_.layout.ranks())
              ? simulate_even(*algorithm, job_.maximum * settings_.element, machine)
              : simulate(*algorithm, *traffic_, settings_.element, machine, keep);
      times_.push_back({{name, "", "model"}, exchange.seconds});
      if (keep == Transfers::keep) {
        write_output(settings_.timeline, timeline_text(exchange.timeline));
      }
    }
  }

  [[nodiscard]] Table table() const {
    Table table({{"algorithm", Align::left},
                 {"mode", Align::left},
                 {"form", Align::left},
                 {"time us"},
                 {"best built-in/this"},
                 {"bound/this"}});
    std::vector<bench::SimulatedTime> sorted = times_;
    std::ranges::stable_sort(sorted, {}, &bench::SimulatedTime::seconds);
    for (const bench::SimulatedTime& time : sorted) {
      const double us = time.seconds * 1e6;
      table.add({time.way.algorithm, time.way.mode, time.way.form,
                 Cell(fmt::format("{:.3f}", us), us), ratio(best_built_in_, time.seconds, 2),
                 ratio(bound_, time.seconds, 3)});
    }
    return table;
  }

  [[nodiscard]] std::string title() const {
    std::string title = fmt::format(
        "{} on {} ranks of {}, blocks up to {} bytes, at most {} bytes a rank\n", settings_.pattern,
        asked_.layout.ranks(), asked_.machine.name, job_.maximum * settings_.element, largest_);
    if (std::isfinite(bound_)) {
      title += fmt::format("the links need at least {:.3f} us\n", bound_ * 1e6);
    }
    return title;
  }

  [[nodiscard]] std::string verdict() const {
    if (settings_.fast) return fmt::format("modelled {} exchanges\n", times_.size());
    if (job_.folded) return fmt::format("timed {} exchanges, payloads not real\n", exchanges_);
    return fmt::format("verified {} exchanges, {} wrong bytes\n", exchanges_, wrong_);
  }

  [[nodiscard]] nlohmann::json json() const {
    return {{"machine", asked_.machine.name},
            {"ranks", asked_.layout.ranks()},
            {"pattern", settings_.pattern},
            {"maximum", job_.maximum},
            {"element_bytes", settings_.element},
            {"largest_load_bytes", largest_},
            {"bound_us", bound_ * 1e6},
            {"verified", !settings_.fast && !job_.folded},
            {"wrong_bytes", wrong_},
            {"results", table().json()}};
  }

  [[nodiscard]] Bytes wrong_bytes() const { return wrong_; }

 private:
  [[nodiscard]] std::vector<bench::SimulatedWay> ways() const {
    std::vector<bench::SimulatedWay> ways;
    for (const std::string& algorithm : algorithms_for(settings_, asked_)) {
      for (const std::string& mode : settings_.modes) {
        for (const std::string& form : settings_.forms) {
          if (can_run(algorithm, form)) ways.push_back({algorithm, mode, form});
        }
      }
    }
    return ways;
  }

  /// A one-shot exchange of several stages reads labels that are among its payload.
  [[nodiscard]] bool can_run(const std::string& algorithm, const std::string& form) const {
    return !job_.folded || form == "plan" ||
           make_algorithm(algorithm, asked_.layout, settings_.grain)->stages() == 1;
  }

  void add(const SimulationResults& results, const std::string& built_in) {
    exchanges_ += results.end.exchanges;
    wrong_ += results.end.wrong_bytes;
    for (bench::SimulatedTime time : results.times) {
      if (!built_in.empty()) time.way = {built_in, "", kBuiltIn};
      times_.push_back(time);
    }
  }

  const Settings& settings_;
  const Asked& asked_;
  bench::SimulationJob job_;
  std::unique_ptr<Traffic> traffic_;
  std::vector<bench::SimulatedTime> times_;
  Bytes largest_ = 0;
  double bound_ = 0;
  double best_built_in_ = 0;
  Bytes exchanges_ = 0;
  Bytes wrong_ = 0;
};

void list_machines(const Settings& settings) {
  Table table({{"machine", Align::left},
               {"ranks"},
               {"start-up us"},
               {"MB/s"},
               {"stands for", Align::left}});
  for (const SimulatedMachine& machine : machine_library()) {
    table.add({machine.name, machine.ranks(), rounded(machine.start_up * 1e6, 1),
               rounded(1e-6 / machine.per_byte, 0), machine.about});
  }
  print(table, settings.json);
}

void run_simulate(const Settings& settings) {
  if (settings.list) {
    list_machines(settings);
    return;
  }
  if (settings.machine.empty()) throw wrong("--machine is required; --machines lists them");
  const Asked asked = machine_of(settings);
  // What is wrong is said before anything is simulated.
  if (!settings.timeline.empty() &&
      (!settings.fast || settings.algorithms.size() != 1 || settings.maxima.size() != 1)) {
    throw wrong("--timeline is of one exchange: it needs --fast, one --algorithm, one --maximum");
  }
  if (settings.fast && !settings.built_in.empty()) {
    throw wrong("--fast simulates algorithms of Shunt alone, and --built-in is SMPI's");
  }
  for (const Bytes maximum : settings.maxima) {
    if (settings.built_in.empty()) break;
    const auto traffic = make_traffic(
        settings.pattern, {asked.layout.ranks(), maximum, settings.background, settings.seed});
    for (const std::string& name : settings.built_in) check_built_in(name, *traffic);
  }
  (void)algorithms_for(settings, asked);
  std::optional<Simulation> simulation;
  if (!settings.fast) simulation.emplace(asked.machine, asked.path, asked.layout.ranks());
  nlohmann::json report = nlohmann::json::array();
  Bytes wrong_bytes = 0;
  for (const Bytes maximum : settings.maxima) {
    Contest contest(settings, asked, maximum);
    if (simulation) {
      contest.run(*simulation);
    } else {
      contest.model();
    }
    wrong_bytes += contest.wrong_bytes();
    report.push_back(contest.json());
    if (settings.json) continue;
    fmt::print("{}\n{}\n{}\n", contest.title(), contest.table().text(), contest.verdict());
    std::fflush(stdout);
  }
  if (settings.json) fmt::print("{}\n", report.dump(2));
  if (wrong_bytes > 0) throw CLI::RuntimeError(1);
}

}  // namespace

void add_simulate(CLI::App& app) {
  auto settings = std::make_shared<Settings>();
  CLI::App* command = app.add_subcommand(
      "simulate",
      "Time all exchanges on a simulated machine, beside\nbuilt-in ones of SimGrid's SMPI");
  command->add_option("--machine", settings->machine,
                      "A machine of the library, or a machine file");
  command->add_flag("--machines", settings->list, "List the library of machines");
  command->add_option("-n,--ranks", settings->ranks, "So many ranks (default: all of the machine)");
  command
      ->add_option("--pattern", settings->pattern,
                   "Traffic: a pattern with its parameter\n(zipf:1.2), a .mtx or a .shunt file")
      ->capture_default_str();
  command->add_option("--maximum", settings->maxima, "Elements of the longest block")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--background", settings->background, "Elements of the other blocks")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--element", settings->element, "Bytes of an element")
      ->capture_default_str()
      ->check(CLI::Range(1, 1 << 20));
  command->add_option("--seed", settings->seed, "Of patterns that draw at random")
      ->capture_default_str();
  command->add_option("--algorithm", settings->algorithms, "Only these (default: all)");
  command->add_option("--mode", settings->modes, "Only these")
      ->capture_default_str()
      ->check(CLI::IsMember({"blocking", "single", "dual"}));
  command->add_option("--form", settings->forms, "Only these")
      ->capture_default_str()
      ->check(CLI::IsMember({"plan", "one-shot"}));
  command->add_option("--built-in", settings->built_in,
                      "Only these of SMPI, for example alltoallv:ring\n"
                      "(`smpirun -help-coll` lists them; default: several)");
  command->add_option("--grain", settings->grain, "Bytes below which a block is never cut")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command
      ->add_option(
          "--window", settings->window,
          "Messages that a rank has under way each way\n(default: 64, fewer above 32 ranks)")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--memory", settings->memory,
                   "MiB of payload above which it is not real:\nexchanges are timed, not verified")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--fast", settings->fast,
                    "By the pure model, without SMPI: flat machines and tori,\nup to millions of "
                    "ranks");
  command->add_option("--timeline", settings->timeline,
                      "With --fast: write when each message is under way,\nfor `shunt draw gantt`");
  command->add_flag("--json", settings->json, "Print JSON");
  command->callback([settings] { run_simulate(*settings); });
}

}  // namespace shunt
