// shunt wisdom: what plans found to be the fastest, and remember.
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/input_file.hpp"
#include "model/wisdom_file.hpp"
#include "shunt/error.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/common/table.hpp"

namespace shunt {

namespace {

struct WisdomSettings {
  std::vector<std::string> merge;
  bool forget = false;
  bool json = false;
};

std::filesystem::path expect_wisdom_file() {
  if (const auto path = wisdom_file()) return *path;
  throw Error(ErrorKind::argument,
              "there is no file of wisdom: SHUNT_WISDOM is \"none\", or none of SHUNT_DIRECTORY, "
              "XDG_CONFIG_HOME and HOME is set");
}

std::string entries_text(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "entry" : "entries");
}

void merge_files(const std::vector<std::string>& files, const std::filesystem::path& path) {
  // All are read before anything is written.
  Wisdom wisdom;
  for (const std::string& file : files) {
    (void)InputFile(file);
    wisdom.merge(read_wisdom(file));
  }
  const std::string note = save_wisdom(path, wisdom);
  if (!note.empty()) fmt::print(stderr, "shunt: {}\n", note);
  fmt::print("{} merged into {}\n", entries_text(wisdom.entries().size()), path.string());
}

/// Of one machine and MPI library, for which there is a line above.
Table wisdom_table() {
  return Table({{"what", Align::left},
                {"ranks", Align::left},
                {"options", Align::left},
                {"traffic, below", Align::left},
                {"algorithm", Align::left},
                {"us"},
                {"effort", Align::left},
                {"found", Align::left}});
}

void add_row(Table& table, const WisdomKey& key, const WisdomEntry& entry) {
  table.add({key.kind, key.ranks, key.options, key.traffic, entry.algorithm,
             rounded(entry.seconds * 1e6, 1), name_of(entry.effort), day_text(entry.found)});
}

void show_text(const Wisdom& wisdom, const std::filesystem::path& path) {
  fmt::print("{}: {}\n", path.string(), entries_text(wisdom.entries().size()));
  // Keys are in the order of machines and MPI libraries.
  const auto& entries = wisdom.entries();
  for (auto place = entries.begin(); place != entries.end();) {
    const WisdomKey& first = place->first;
    Table table = wisdom_table();
    for (; place != entries.end() && place->first.machine == first.machine &&
           place->first.mpi == first.mpi;
         ++place) {
      add_row(table, place->first, place->second);
    }
    fmt::print("\n{}\n{}\n{}", first.machine, first.mpi, table.text());
  }
}

void show_json(const Wisdom& wisdom, const std::filesystem::path& path) {
  nlohmann::ordered_json report{{"file", path.string()},
                                {"entries", nlohmann::ordered_json::array()}};
  for (const auto& [key, entry] : wisdom.entries()) {
    report["entries"].push_back(row_json(key, entry));
  }
  // As another program can merge it.
  print_json({kWisdomFormat.name, kWisdomFormat.version}, report);
}

void run_wisdom(const WisdomSettings& settings) {
  const std::filesystem::path path = expect_wisdom_file();
  if (settings.forget) {
    const std::size_t count = forget_wisdom(path);
    fmt::print("{} of {} forgotten\n", entries_text(count), path.string());
  } else if (!settings.merge.empty()) {
    merge_files(settings.merge, path);
  } else if (settings.json) {
    show_json(read_wisdom(path), path);
  } else {
    show_text(read_wisdom(path), path);
  }
}

}  // namespace

void add_wisdom(Command app) {
  const Command command =
      app.add_subcommand("wisdom", "Show what plans found to be the fastest, and remember");
  auto settings = std::make_shared<WisdomSettings>();
  const Option merge = command.add_option("--merge", settings->merge,
                                          "Add what these files know, as of another machine");
  const Option forget = command.add_flag("--forget", settings->forget, "Remove the file");
  const Option json = command.add_flag("--json", settings->json, "Print JSON");
  merge.excludes(forget);
  merge.excludes(json);
  forget.excludes(json);
  command.set_action([settings] { run_wisdom(*settings); });
}

}  // namespace shunt
