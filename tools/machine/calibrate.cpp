// shunt calibrate: measures the machine and keeps what the planner has to know of it.
#include "lab/calibration/calibrate.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "context/context.hpp"
#include "model/counted.hpp"
#include "model/profile_files.hpp"
#include "model/user_file.hpp"
#include "shunt/error.hpp"
#include "tools/common/model_error.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/common/table.hpp"
#include "tools/launch/launch.hpp"
#include "tools/session/bench_common.hpp"

namespace shunt {

namespace {

struct CalibrateSettings {
  int launch = 0;
  std::string output;
  int seconds = 20;
  bool json = false;
};

/// On a terminal, one line that changes.
void show_progress(double share) {
  if (isatty(STDERR_FILENO) == 0) return;
  fmt::print(stderr, "\rmeasuring: {:3.0f} %{}", 100 * share, share < 1 ? "" : "\n");
  std::fflush(stderr);
}

/// The shortest form that is near enough: "1.23 us".
Cell time_cell(double seconds) {
  for (const auto& [unit, name] : {std::pair{1e-3, "ms"}, {1e-6, "us"}}) {
    if (seconds >= unit) return {fmt::format("{:.3g} {}", seconds / unit, name), seconds};
  }
  if (seconds == 0) return {"0", 0.0};
  return {fmt::format("{:.3g} ns", seconds / 1e-9), seconds};
}

Table costs_table(const Profile& profile) {
  Table table({{"cost of", Align::left}, {"plan"}, {"one-shot"}});
  for (const CostKey& entry : kCostKeys) {
    if (entry.is_outside && profile.site.nodes == 1) continue;
    table.add({entry.meaning, time_cell(profile.plan.*entry.cost),
               time_cell(profile.one_shot.*entry.cost)});
  }
  return table;
}

Table native_table(const Profile& profile) {
  Table table({{"bytes of a block"}, {"MPI_Alltoallv"}, {"MPI_Allgatherv"}});
  for (std::size_t k = 0; k < profile.alltoallv.size(); ++k) {
    table.add({profile.alltoallv[k].bytes, time_cell(profile.alltoallv[k].seconds),
               time_cell(profile.allgatherv[k].seconds)});
  }
  return table;
}

void print_text(const Calibration& calibration, const std::string& path) {
  const Profile& profile = calibration.profile;
  const Site& site = profile.site;
  fmt::print("{}\n{}\n{} on {}\n\n{}\n{}\n", site.machine, site.mpi, counted(site.ranks, "rank"),
             counted(site.nodes, "node"), costs_table(profile).text(),
             native_table(profile).text());
  fmt::print("a reduction over all ranks: {}; a byte from memory to memory: {}\n",
             time_cell(profile.reduction).text, time_cell(profile.memory_copy_per_byte).text);
  fmt::print("all pairs of ranks at once: {:.2f} times as long as one pair\n", profile.contention);
  fmt::print("one message under way through MPI at a time: {:.2f} times as long as all\n",
             profile.window);
  ModelError error;
  for (const Calibrated& exchange : calibration.exchanges) {
    error.add(exchange.expected, exchange.measured);
  }
  fmt::print("{} of exchange: {}\n", counted(calibration.exchanges.size(), "kind"), error.words());
  fmt::print("measured in {:.0f} s, written to {}\n", calibration.seconds, path);
}

nlohmann::json json_of(const Calibration& calibration, const std::string& path) {
  nlohmann::json exchanges = nlohmann::json::array();
  for (const Calibrated& exchange : calibration.exchanges) {
    exchanges.push_back({{"traffic", exchange.traffic},
                         {"algorithm", exchange.algorithm},
                         {"form", name_of(exchange.form)},
                         {"measured_seconds", exchange.measured},
                         {"expected_seconds", exchange.expected}});
  }
  return {{"file", path},
          {"measured_in_seconds", calibration.seconds},
          {"profile", to_json(calibration.profile)},
          {"exchanges", exchanges}};
}

/// Where the profile goes. Throws Error(file) where there is no such place. Only the user's own
/// folder is made.
std::string output_path(const CalibrateSettings& settings, const Site& site) {
  if (!settings.output.empty()) {
    const auto folder = std::filesystem::absolute(settings.output).parent_path();
    std::error_code none;
    if (std::filesystem::is_directory(folder, none)) return settings.output;
    throw Error(ErrorKind::file, fmt::format("--output is {}, but there is no folder {}",
                                             settings.output, folder.string()));
  }
  const auto path = profile_path(site);
  if (!path) {
    throw Error(ErrorKind::file,
                "there is no folder for profiles: neither SHUNT_DIRECTORY nor HOME is set; "
                "--output names a file");
  }
  return path->string();
}

/// Throws Error(file) where a file cannot be written there: before the measurements, not after.
void expect_writable(const std::string& path) {
  const std::string trial = path + ".trial";
  replace_file(trial, "");
  std::filesystem::remove(trial);
}

/// What is wrong with where the profile goes; empty if nothing is.
std::string fault_of_output(const CalibrateSettings& settings, const Site& site) try {
  expect_writable(output_path(settings, site));
  return "";
} catch (const Error& error) {
  return error.what();
}

void run_calibrate(const CalibrateSettings& settings) {
  const MpiSession mpi;
  const std::shared_ptr<Context> context = Context::of(MPI_COMM_WORLD);
  const Site site = context->topology.site();
  const std::string fault =
      context->progress.broadcast_text(mpi.reports() ? fault_of_output(settings, site) : "");
  if (!fault.empty()) {
    // The first rank says it for all.
    if (mpi.reports()) throw Error(ErrorKind::file, fault);
    return;
  }
  CalibrationSettings how;
  how.seconds = settings.seconds;
  how.progress = show_progress;
  const Calibration calibration = calibrate(context, how);
  if (!mpi.reports()) return;
  const std::string path = output_path(settings, site);
  replace_file(path, to_json(calibration.profile).dump(2) + "\n");
  if (settings.json) {
    print_json({"shunt-calibrate"}, json_of(calibration, path));
  } else {
    print_text(calibration, path);
  }
}

}  // namespace

void add_calibrate(Command app) {
  auto settings = std::make_shared<CalibrateSettings>();
  const Command command = app.add_subcommand(
      "calibrate", "Measure the machine, and keep what it costs for the planner");
  command
      .add_option("-n,--ranks", settings->launch,
                  "Start this many ranks;\nnot needed under mpirun or srun")
      .between(1, 1 << 20);
  command.add_option(
      "-o,--output", settings->output,
      "The file of the profile (default: one in the\nuser's folder, where it is found)");
  command.add_option("--seconds", settings->seconds, "For all measurements, about")
      .shows_default()
      .between(1, 3600);
  command.add_flag("--json", settings->json, "Print JSON");
  command.set_action([settings] {
    if (!launched_as_rank() && settings->launch > 0) {
      // What is wrong is said once, here, as far as it does not depend on the ranks.
      expect_writable(output_path(*settings, Site{}));
      launch_ranks(settings->launch);
    }
    run_calibrate(*settings);
  });
}

}  // namespace shunt
