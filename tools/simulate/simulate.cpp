// shunt simulate: all exchanges, or all-gathers, on a machine that one does not have, beside SMPI's
// built-in ones.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic_file.hpp"
#include "shunt/error.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/common/table.hpp"
#include "tools/simulate/machine_allgather.hpp"
#include "tools/simulate/machine_contest.hpp"
#include "tools/simulate/machine_ways.hpp"
#include "tools/simulate/simulation.hpp"

namespace shunt {

namespace {

struct SimulateSettings {
  std::string machine;
  bool list = false;
  std::optional<Rank> ranks;
  std::string nodes;  ///< empty: filled in order
  std::vector<Bytes> maxima{1024};
  AllgatherChoice allgather;
  ContestSettings contest;
  bool json = false;
};

/// What of SMPI's own the pure model can follow.
constexpr const char* kLinear = "alltoallv:ompi_basic_linear";

void list_machines(const SimulateSettings& settings) {
  Table table({{"machine", Align::left},
               {"ranks"},
               {"start-up us"},
               {"MB/s", Align::right, "rate_mb_per_s"},
               {"stands for", Align::left}});
  for (const SimulatedMachine& machine : machine_library()) {
    table.add({machine.name, machine.ranks(), rounded(machine.start_up * 1e6, 1),
               rounded(1e-6 / machine.per_byte, 0), machine.about});
  }
  print(table, {"shunt-simulate-machines"}, settings.json);
}

/// `sizes` are those of --maximum, or of --length.
void check_model(const ContestSettings& contest, const std::vector<Bytes>& sizes,
                 const std::string& size) {
  if (!contest.timeline.empty() &&
      (!contest.fast || contest.algorithms.size() != 1 || sizes.size() != 1)) {
    throw wrong_choice(fmt::format(
        "--timeline is of one exchange: it needs --fast, one --algorithm, one {}", size));
  }
  if (contest.at_once && !contest.fast) {
    throw wrong_choice("--at-once says how the model posts messages, and needs --fast");
  }
  if (!contest.fast) return;
  for (const std::string& name : contest.built_in) {
    if (contest.at_once && name == kLinear) continue;
    throw wrong_choice(
        fmt::format("--fast is without SMPI, and cannot make {}: it knows {} alone, with "
                    "--at-once",
                    name, kLinear));
  }
}

/// What is wrong is said before anything is simulated.
void check_exchange(const SimulateSettings& settings, const OccupiedMachine& occupied) {
  const ContestSettings& contest = settings.contest;
  const std::vector<Bytes> maxima = sizes_for(contest.pattern, settings.maxima);
  check_model(contest, maxima, "--maximum");
  for (const Bytes maximum : maxima) {
    if (contest.built_in.empty()) break;
    const auto traffic = make_traffic(
        contest.pattern, {occupied.layout.ranks(), maximum, contest.background, contest.seed});
    for (const std::string& name : contest.built_in) check_built_in(name, *traffic);
  }
  (void)algorithms_for(occupied, contest.algorithms, contest.grain);
}

/// Either kind of contest, one for each size, printed as it is over; JSON all together.
template <class MakeContest, class Run>
void run_contests(const std::vector<Bytes>& sizes, const DocumentFormat& format, bool json,
                  MakeContest make, Run run) {
  nlohmann::json report = nlohmann::json::array();
  Bytes wrong_bytes = 0;
  for (const Bytes size : sizes) {
    auto contest = make(size);
    run(contest);
    wrong_bytes += contest.wrong_bytes();
    report.push_back(contest.json());
    if (json) continue;
    fmt::print("{}\n{}\n{}\n", contest.title(), contest.table().text(), contest.verdict());
    flush_output();
  }
  if (json) print_json(format, {{"contests", report}});
  if (wrong_bytes > 0) throw FoundWrong();
}

/// The same, in SMPI or by the pure model.
template <class MakeContest>
void simulate_contests(const std::vector<Bytes>& sizes, const DocumentFormat& format,
                       const SimulateSettings& settings, const OccupiedMachine& occupied,
                       MakeContest make) {
  std::optional<Simulation> simulation;
  if (!settings.contest.fast) simulation.emplace(occupied);
  run_contests(sizes, format, settings.json, make, [&](auto& contest) {
    if (simulation) {
      contest.run(*simulation);
    } else {
      contest.model();
    }
  });
}

void simulate_exchanges(const SimulateSettings& settings, const OccupiedMachine& occupied) {
  check_exchange(settings, occupied);
  const std::vector<Bytes> maxima = sizes_for(settings.contest.pattern, settings.maxima);
  simulate_contests(maxima, {"shunt-simulate"}, settings, occupied, [&](Bytes maximum) {
    return MachineContest(settings.contest, occupied, maximum);
  });
}

void simulate_allgathers(const SimulateSettings& settings, const OccupiedMachine& occupied) {
  const auto allgather_of = [&](Bytes length) {
    return MachineAllgather(settings.contest, settings.allgather, occupied, length);
  };
  const std::vector<Bytes> lengths = settings.allgather.lengths();
  check_model(settings.contest, lengths, "--length");
  (void)allgather_of(lengths.front());
  simulate_contests(lengths, {"shunt-simulate-allgather"}, settings, occupied, allgather_of);
}

void run_simulate(const SimulateSettings& settings) {
  if (settings.list) {
    list_machines(settings);
    return;
  }
  if (settings.machine.empty()) throw wrong_choice("--machine is required; --machines lists them");
  const OccupiedMachine occupied =
      occupy_machine(settings.machine, settings.ranks, settings.nodes, settings.allgather.array);
  if (!settings.allgather.is_made()) {
    simulate_exchanges(settings, occupied);
  } else {
    simulate_allgathers(settings, occupied);
  }
}

void add_machine_options(Command command, SimulateSettings& settings) {
  command.add_option("--machine", settings.machine, "A machine of the library, or a machine file");
  command.add_flag("--machines", settings.list, "List the library of machines");
  command.add_option("-n,--ranks", settings.ranks, "So many ranks (default: all of the machine)");
  command.add_option("--nodes", settings.nodes,
                     "Ranks on nodes: blocked:2, round-robin:4, the nodes' sizes\n"
                     "(4,4,2), or a file (default: they fill the nodes in order)");
}

/// What is exchanged, where it is no all-gather from `sources`.
void add_exchange_options(Command command, SimulateSettings& settings, Option sources) {
  ContestSettings& contest = settings.contest;
  command
      .add_option("--pattern,--traffic", contest.pattern,
                  "Traffic: a pattern with its parameter\n(zipf:1.2), a .mtx or a .shunt file")
      .shows_default()
      .excludes(sources);
  command.add_option("--maximum", settings.maxima, "Elements of the longest block")
      .shows_default()
      .excludes(sources)
      .not_negative();
  command.add_option("--background", contest.background, "Elements of the other blocks")
      .shows_default()
      .excludes(sources)
      .not_negative();
  command.add_option("--element", contest.element, "Bytes of an element")
      .shows_default()
      .excludes(sources)
      .between(1, 1 << 20);
}

/// The ways in which it is done.
void add_way_options(Command command, ContestSettings& contest) {
  command.add_option("--algorithm", contest.algorithms, "Only these, or auto (default: all)")
      .names_algorithms();
  command.add_option("--mode", contest.modes, "Only these")
      .shows_default()
      .one_of({"blocking", "single", "dual"});
  command.add_option("--form", contest.forms, "Only these")
      .shows_default()
      .one_of({"plan", "one-shot"});
  command.add_option("--built-in", contest.built_in,
                     "Only these of SMPI, for example alltoallv:ring, or\n"
                     "allgatherv:ring (`smpirun -help-coll` lists them;\ndefault: several)");
  command.add_option("--grain", contest.grain, "Bytes below which a block is never cut")
      .shows_default()
      .positive();
  command
      .add_option(
          "--window", contest.window,
          "Messages that a rank has under way each way\n(default: 64, fewer above 32 ranks)")
      .positive();
}

/// What is simulated of it.
void add_model_options(Command command, ContestSettings& contest) {
  command
      .add_option("--memory", contest.memory,
                  "MiB of payload above which it is not real:\nexchanges are timed, not verified")
      .shows_default()
      .not_negative();
  command.add_flag("--fast", contest.fast,
                   "By the pure model, without SMPI: flat machines, tori and\nmeshes, up to "
                   "millions of ranks");
  command.add_flag("--at-once", contest.at_once,
                   "With --fast: all messages of a stage are posted at once\nand share the links "
                   "of their nodes (default: by steps)");
  command.add_option("--timeline", contest.timeline,
                     "With --fast: write when each message is under way,\nfor `shunt draw gantt`");
}

}  // namespace

void add_simulate(Command app) {
  auto settings = std::make_shared<SimulateSettings>();
  const Command command = app.add_subcommand("simulate",
                                             "Time all exchanges, or all-gathers, on a simulated "
                                             "machine,\nbeside built-in ones of SimGrid's SMPI");
  add_machine_options(command, *settings);
  const Option sources = settings->allgather.add_to(command);
  add_exchange_options(command, *settings, sources);
  command.add_option("--seed", settings->contest.seed, "Of patterns that draw at random")
      .shows_default();
  add_way_options(command, settings->contest);
  add_model_options(command, settings->contest);
  command.add_flag("--json", settings->json, "Print JSON");
  command.set_action([settings] { run_simulate(*settings); });
}

}  // namespace shunt
