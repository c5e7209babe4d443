#include "model/wisdom_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "model/input_file.hpp"
#include "model/user_file.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

/// How each file begins. What begins otherwise was not written here.
constexpr std::string_view kBeginning = R"({"format":"shunt-wisdom","version":1,"entries":[)";
constexpr std::string_view kEnding = "\n]}\n";

/// The end of the year 9999.
constexpr std::int64_t kLastSecond = 253402300799;

/// What two programs found within so many seconds, they found at the same time.
constexpr std::int64_t kAtOnce = 600;

/// The names of a key's parts, and where they are.
struct KeyPart {
  const char* name;
  std::string WisdomKey::*text;
};
constexpr KeyPart kKeyParts[] = {
    {"machine", &WisdomKey::machine}, {"mpi", &WisdomKey::mpi},
    {"ranks", &WisdomKey::ranks},     {"kind", &WisdomKey::kind},
    {"options", &WisdomKey::options}, {"traffic", &WisdomKey::traffic}};

/// Printable ASCII: what a terminal shows must not command it.
std::string plain_text(const JsonObject& object, const char* key) {
  std::string text = object.text(key);
  const auto is_plain = [](char letter) { return letter >= ' ' && letter <= '~'; };
  if (text.size() > Wisdom::kLongestText || !std::ranges::all_of(text, is_plain)) {
    object.fail(fmt::format("\"{}\" must have at most {} characters, all of printable ASCII", key,
                            Wisdom::kLongestText));
  }
  return text;
}

Effort effort_of(const JsonObject& object) {
  const std::string name = object.text("effort");
  for (const Effort effort : kEfforts) {
    if (name == name_of(effort)) return effort;
  }
  object.fail("\"effort\" must be \"estimate\", \"measure\" or \"patient\"");
}

/// The newest entries, as many as a file may have.
std::string file_text(const Wisdom& wisdom) {
  std::vector<const std::pair<const WisdomKey, WisdomEntry>*> newest;
  for (const auto& entry : wisdom.entries()) newest.push_back(&entry);
  std::ranges::stable_sort(newest, std::ranges::greater{},
                           [](const auto* entry) { return entry->second.found; });
  if (newest.size() > kMostWisdom) newest.resize(kMostWisdom);
  std::string text(kBeginning);
  const auto most = static_cast<std::size_t>(kWisdomFormat.longest) - kEnding.size();
  for (const auto* entry : newest) {
    const std::string line = row_json(entry->first, entry->second).dump();
    if (text.size() + line.size() + 2 > most) break;
    text += (entry == newest.front() ? "\n" : ",\n") + line;
  }
  return text.append(kEnding);
}

/// Whether what cannot be read was a file of wisdom once; a disk that was full left it empty.
bool is_damaged(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  InputFile file(path.string());
  constexpr Bytes kLength = std::ssize(kBeginning);
  return file.size() == 0 || (file.size() >= kLength && file.read(0, kLength) == kBeginning);
}

/// What a file holds of which no part is lost; and what became of a damaged one.
struct Found {
  Wisdom wisdom;
  std::string note;
};

Found read_or_put_aside(const fs::path& path) {
  try {
    return {read_wisdom(path), {}};
  } catch (const Error& error) {
    if (!is_damaged(path)) throw;
    const fs::path aside = path.string() + ".bad";
    std::error_code failed;
    fs::rename(path, aside, failed);
    if (failed) throw;
    return {{}, fmt::format("{}; it is kept as {}", error.what(), aside.string())};
  }
}

/// Whether the file knows it all, as where many programs found it out at once.
bool is_known(const Wisdom& learned, const Wisdom& file) {
  return std::ranges::all_of(learned.entries(), [&](const auto& row) {
    const WisdomEntry* const known = file.find(row.first, row.second.effort);
    return known != nullptr && known->found >= row.second.found - kAtOnce;
  });
}

}  // namespace

std::optional<fs::path> wisdom_file() {
  if (const char* own = std::getenv("SHUNT_WISDOM"); own != nullptr && *own != '\0') {
    return std::string_view(own) == "none" ? std::nullopt : std::optional<fs::path>(own);
  }
  const std::optional<fs::path> folder = user_directory();
  return folder ? std::optional(*folder / "wisdom.json") : std::nullopt;
}

ordered_json row_json(const WisdomKey& key, const WisdomEntry& entry) {
  ordered_json object;
  for (const KeyPart& part : kKeyParts) object[part.name] = key.*part.text;
  object.update(entry_json(entry));
  return object;
}

ordered_json entry_json(const WisdomEntry& entry) {
  ordered_json object{{"algorithm", entry.algorithm},
                      {"seconds", entry.seconds},
                      {"effort", name_of(entry.effort)},
                      {"found", entry.found},
                      {"trials", ordered_json::array()}};
  for (const Trial& trial : entry.trials) {
    object["trials"].push_back({{"algorithm", trial.algorithm}, {"seconds", trial.seconds}});
  }
  return object;
}

WisdomEntry entry_of(const JsonObject& object) {
  WisdomEntry entry;
  entry.algorithm = plain_text(object, "algorithm");
  entry.seconds = object.amount("seconds", "seconds");
  entry.effort = effort_of(object);
  entry.found = object.whole("found", 0, kLastSecond);
  const json& trials = object.list("trials", "objects", Wisdom::kMostTrials);
  for (const json& item : trials) {
    const JsonObject trial = object.inside(item, "trials");
    entry.trials.push_back({plain_text(trial, "algorithm"), trial.amount("seconds", "seconds")});
  }
  return entry;
}

Wisdom read_wisdom(const fs::path& path) {
  std::error_code error;
  if (fs::status(path, error).type() == fs::file_type::not_found) return {};
  const json file = read_json_file(path.string(), kWisdomFormat);
  const JsonObject object(path.string(), file);
  const json& rows = object.list("entries", "objects", kMostWisdom);
  Wisdom wisdom;
  for (const json& item : rows) {
    const JsonObject row = object.inside(item, "entries");
    WisdomKey key;
    for (const KeyPart& part : kKeyParts) key.*part.text = plain_text(row, part.name);
    wisdom.learn(std::move(key), entry_of(row));
  }
  return wisdom;
}

std::string save_wisdom(const fs::path& path, const Wisdom& learned, bool corrects) {
  if (learned.entries().empty()) return {};
  try {
    // Of many programs that end at the same time only the first ones have to wait for each other.
    if (!corrects && is_known(learned, read_wisdom(path))) return {};
  } catch (const Error&) {
    // Handled below, where nobody else is at it.
  }
  const FileLock lock(path);
  Found found = read_or_put_aside(path);
  if (!corrects && is_known(learned, found.wisdom)) return found.note;
  found.wisdom.merge(learned);
  replace_file(path, file_text(found.wisdom));
  return found.note;
}

std::size_t forget_wisdom(const fs::path& path) {
  const FileLock lock(path);
  std::size_t count = 0;
  try {
    count = read_wisdom(path).entries().size();
  } catch (const Error&) {
    if (!is_damaged(path)) throw;
  }
  std::error_code error;
  fs::remove(path, error);
  if (error) {
    throw Error(ErrorKind::file,
                fmt::format("{}: cannot remove: {}", path.string(), error.message()));
  }
  return count;
}

}  // namespace shunt
