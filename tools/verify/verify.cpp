// shunt verify: proves every schedule, every route and every all-gather at every number of ranks,
// and on random nodes.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "algorithms/allgather_registry.hpp"
#include "model/counted.hpp"
#include "shunt/error.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/common/table.hpp"
#include "tools/verify/verification.hpp"
#include "tools/verify/verification_report.hpp"

namespace shunt {

namespace {

/// Throws the reason why a name given by the user runs on no number of ranks.
void check_names(const VerifySettings& settings) {
  for (const std::string& name : settings.algorithms) {
    std::optional<Error> reason;
    for (Rank ranks = settings.max_ranks; ranks >= 1; --ranks) {
      try {
        (void)name_on(name, ranks);
        reason.reset();
        break;
      } catch (const Error& error) {
        reason = error;
      }
    }
    if (reason) throw Error(*reason);
  }
}

Table tally_table(const Verification& verification) {
  Table table({{"algorithm", Align::left},
               {"from ranks"},
               {"to ranks"},
               {"random nodes"},
               {"schedules"},
               {"violations"}});
  for (const auto& [family, tally] : verification.tallies()) {
    table.add(
        {family, tally.smallest, tally.largest, tally.machines, tally.schedules, tally.violations});
  }
  return table;
}

std::string summary(const Verification& verification) {
  Bytes schedules = 0;
  for (const auto& [family, tally] : verification.tallies()) schedules += tally.schedules;
  return fmt::format("checked {} of {}: {}", counted(schedules, "schedule"),
                     counted(verification.tallies().size(), "algorithm"),
                     counted(verification.violations().size(), "violation"));
}

void print_details(const VerifySettings& settings, const Verification& verification) {
  if (settings.destinations > 0) {
    fmt::print("\nRoutes were followed to at most {}.\n",
               counted(settings.destinations, "destination"));
  } else {
    fmt::print("\nRoutes were followed to all destinations");
    if (settings.max_ranks > kAllDestinations) {
      fmt::print(" up to {} ranks, to {} beyond", kAllDestinations, kSomeDestinations);
    }
    fmt::print(".\n");
  }
  const auto& tallies = verification.tallies();
  if (std::ranges::any_of(tallies, [](const auto& entry) { return is_allgather(entry.first); })) {
    fmt::print("All-gathers were followed byte by byte, with no source, one, some and all.\n");
  }
}

void verify_all(const VerifySettings& settings) {
  check_names(settings);
  Verification verification(settings);
  verification.run();
  print_report({"shunt-verify", "algorithms", tally_table(verification), verification.violations(),
                summary(verification)},
               settings.json, [&] { print_details(settings, verification); });
}

}  // namespace

void add_verify(Command app) {
  const Command command = app.add_subcommand("verify", "Prove all schedules and routes");
  auto settings = std::make_shared<VerifySettings>();
  command.add_option("--max-ranks", settings->max_ranks, "Check 1 to this many ranks")
      .between(1, 100000)
      .shows_default();
  command
      .add_option("--algorithm", settings->algorithms,
                  "Check only this algorithm or all-gather; may be\nrepeated")
      .names_algorithms();
  command
      .add_option("--random-nodes", settings->machines,
                  "Check what depends on nodes on so many more machines\n"
                  "of random nodes, ranks in any order")
      .between(0, 10000000)
      .shows_default();
  command
      .add_option("--longest-extent", settings->longest_extent,
                  "Check what depends on a torus on all of two dimensions\n"
                  "to this many ranks a dimension, and on rings to 4 times\n"
                  "as many; and on one of three and one of four dimensions")
      .between(0, 1000)
      .shows_default();
  command
      .add_option("--destinations", settings->destinations,
                  fmt::format("Follow routes to at most this many destinations,\n"
                              "spread over the ranks. Default: to all up to {} ranks,\n"
                              "to {} beyond. Schedules are always checked whole",
                              kAllDestinations, kSomeDestinations))
      .between(1, 100000);
  command.add_option("--threads", settings->threads, "Threads that share the work")
      .between(1, 1024)
      .shows_default();
  command.add_flag("--json", settings->json, "Print JSON");
  command.set_action([settings, command] {
    if (!command.subcommand_chosen()) verify_all(*settings);
  });
  add_redistribution_proofs(command);
}

}  // namespace shunt
