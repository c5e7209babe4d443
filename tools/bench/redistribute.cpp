// shunt redistribute: an array is dealt out anew by real ranks, verified, and timed.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "lab/bench/redistribution_contest.hpp"
#include "model/array_layout.hpp"
#include "model/counted.hpp"
#include "shunt/error.hpp"
#include "shunt/relabelling.hpp"
#include "tools/common/layout_options.hpp"
#include "tools/common/page.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/common/table.hpp"
#include "tools/launch/launch.hpp"
#include "tools/session/bench_common.hpp"

namespace shunt {

namespace {

struct RedistributeSettings {
  LayoutOptions layouts;
  bool fortran = false;
  Bytes element = 8;
  int launch = 0;
  std::vector<std::string> modes{"dual"};
  std::vector<std::string> forms{"plan", "one-shot"};
  Bytes packet = 0;
  int rounds = 20;
  bool relabel = false;
  bool json = false;
};

ArrayLayout with_order(ArrayLayout layout, const RedistributeSettings& settings) {
  layout.order = settings.fortran ? Order::column_major : Order::row_major;
  return layout;
}

void run(const RedistributeSettings& settings, const ArrayLayout& from, const ArrayLayout& to) {
  const MpiSession mpi;
  bench::ContestOptions options;
  options.algorithms = {"auto"};
  options.modes = modes_named(settings.modes);
  set_forms(options, settings.forms);
  options.rounds = settings.rounds;
  options.packet = settings.packet;
  const Relabelling relabelled = relabel(from, to, mpi.ranks());
  bench::RedistributionContest contest(
      MPI_COMM_WORLD, from, settings.relabel ? relabelled.layout : to, settings.element, options);
  const std::vector<bench::Result> results = contest.run();
  const Bytes wrong = contest.wrong_bytes();
  if (mpi.reports()) {
    const Table table = results_table(results, "by hand");
    if (settings.json) {
      print(table, {"shunt-redistribute"}, true);
    } else {
      const std::string title =
          fmt::format("{} elements of {} from {} to {} on {}", settings.layouts.shape,
                      counted(settings.element, "byte"), settings.layouts.from, settings.layouts.to,
                      counted(mpi.ranks(), "rank"));
      fmt::print("{}{}\n", paragraph(title), table.text());
      fmt::print("elements that change their rank: {}; with ranks at other places: {}{}\n",
                 relabelled.moved_as_given, relabelled.moved,
                 settings.relabel ? ", as here" : " (--relabel)");
      fmt::print("by hand: elements packed by lists of indices, MPI_Alltoallv, unpacked\n");
      fmt::print("{}", timing_legend(settings.rounds));
      fmt::print("verified {}, {}\n", counted(contest.redistributions(), "redistribution"),
                 counted(wrong, "wrong byte"));
    }
  }
  if (wrong > 0) throw FoundWrong();
}

/// Under a launcher makes the redistribution; else starts ranks that do.
void start(const RedistributeSettings& settings) {
  const ArrayLayout from = with_order(settings.layouts.layout_from(), settings);
  const ArrayLayout to = with_order(settings.layouts.layout_to(), settings);
  if (!launched_as_rank()) {
    // What is wrong is said once, here, and not by every rank.
    const Rank places = std::max(grid_places(from), grid_places(to));
    const int ranks = settings.launch > 0 ? settings.launch : places;
    if (places > ranks) {
      throw Error(ErrorKind::argument,
                  fmt::format("{} ranks; the larger grid has {} places", ranks, places));
    }
    launch_ranks(ranks);
  }
  run(settings, from, to);
}

}  // namespace

void add_redistribute(Command app) {
  auto settings = std::make_shared<RedistributeSettings>();
  const Command command = app.add_subcommand(
      "redistribute", "Deal out an array anew, verified and timed, beside MPI_Alltoallv");
  settings->layouts.add_to(command, "How the array is dealt out, for example").required();
  command.add_flag("--fortran", settings->fortran,
                   "Ranks keep their parts as Fortran does: the first\nindex is the fastest");
  command.add_option("--element", settings->element, "Bytes of an element")
      .shows_default()
      .one_of({"1", "2", "4", "8", "16", "32"});
  command
      .add_option("-n,--ranks", settings->launch,
                  "Start this many ranks (default: as many as the larger\ngrid has places); not "
                  "needed under mpirun or srun")
      .between(1, 1 << 20);
  command.add_option("--mode", settings->modes, "Only these")
      .shows_default()
      .one_of({"blocking", "single", "dual"});
  command.add_option("--form", settings->forms, "Only these")
      .shows_default()
      .one_of({"plan", "one-shot"});
  command
      .add_option("--packet", settings->packet,
                  "Bytes of the packets in which messages go through\nMPI (default: 256 KiB)")
      .positive();
  command.add_option("--rounds", settings->rounds, "Redistributions of each kind")
      .shows_default()
      .between(1, 1000000);
  command.add_flag("--relabel", settings->relabel,
                   "Take those ranks for the places of the new layout\nwith which the fewest "
                   "elements move");
  command.add_flag("--json", settings->json, "Print JSON");
  command.set_action([settings] { start(*settings); });
}

}  // namespace shunt
