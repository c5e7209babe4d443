#include "model/profile_files.hpp"

#include <cmath>
#include <cstdlib>
#include <system_error>

#include <fmt/format.h>

#include "model/user_file.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

namespace fs = std::filesystem;

/// What the names of all profiles of a machine and an MPI library begin with: FNV-1a of both. A
/// profile says itself what it is of; the name only keeps others from being read.
std::string name_of_family(const Site& site) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const std::string text = site.machine + "\n" + site.mpi;
  for (const char letter : text) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  }
  return fmt::format("{:016x}-", hash);
}

/// How unlike two layouts are: 0 if they are the same.
double distance(const Site& one, const Site& other) {
  const auto apart = [](Rank a, Rank b) { return std::abs(std::log(1.0 * a / b)); };
  return apart(one.ranks, other.ranks) + apart(one.nodes, other.nodes) +
         apart(one.largest_node, other.largest_node);
}

/// Takes the file's profile if it is for `site`, and nearer than what was found. Returns why it is
/// not for it, if so. Notes where the file is bad.
std::string take(const std::string& path, const Site& site, FoundProfile& found) {
  try {
    Profile profile = read_profile(path);
    std::string why = why_foreign(profile.site, site);
    if (!why.empty()) return why;
    if (found.path.empty() || distance(profile.site, site) < distance(found.profile.site, site)) {
      found.profile = std::move(profile);
      found.path = path;
    }
  } catch (const Error& bad) {
    found.refused.emplace_back(bad.what());
  }
  return "";
}

void look_in(const fs::path& folder, const Site& site, FoundProfile& found) {
  const std::string family = name_of_family(site);
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(family) || !name.ends_with(".json")) continue;
    (void)take(entry->path().string(), site, found);  // those of other layouts are no news
  }
}

}  // namespace

std::optional<fs::path> profile_path(const Site& site) {
  const std::optional<fs::path> folder = user_directory();
  if (!folder) return std::nullopt;
  return *folder / "profiles" /
         fmt::format("{}{}-ranks-{}-nodes-of-{}.json", name_of_family(site), site.ranks, site.nodes,
                     site.largest_node);
}

FoundProfile find_profile(const Site& site) {
  FoundProfile found{typical_profile(site), "", {}};
  const char* const named = std::getenv("SHUNT_PROFILE");
  if (named == nullptr || *named == '\0') {
    if (const auto folder = user_directory()) look_in(*folder / "profiles", site, found);
    return found;
  }
  const std::string why = take(named, site, found);
  if (!why.empty()) {
    found.refused.push_back(fmt::format("{}: the profile is not used, for it is {}", named, why));
  }
  return found;
}

}  // namespace shunt
