#include "model/wisdom.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "model/counted.hpp"
#include "model/host_kind.hpp"

namespace shunt {

namespace {

/// As a file may have it: not too long, and nothing but printable ASCII.
void make_plain(std::string& text) {
  text.resize(std::min(text.size(), Wisdom::kLongestText));
  text = printable(std::move(text));
}

/// Whether `one` is to be kept, and not `other`: it took more effort, or as much and is newer.
bool supersedes(const WisdomEntry& one, const WisdomEntry& other) {
  return std::pair(one.effort, one.found) > std::pair(other.effort, other.found);
}

}  // namespace

const WisdomEntry* Wisdom::find(const WisdomKey& key, Effort least) const {
  const auto found = entries_.find(key);
  return found == entries_.end() || found->second.effort < least ? nullptr : &found->second;
}

void Wisdom::learn(WisdomKey key, WisdomEntry entry) {
  for (std::string* text :
       {&key.machine, &key.mpi, &key.ranks, &key.kind, &key.options, &key.traffic}) {
    make_plain(*text);
  }
  make_plain(entry.algorithm);
  std::ranges::stable_sort(entry.trials, {}, &Trial::seconds);
  if (entry.trials.size() > kMostTrials) entry.trials.resize(kMostTrials);
  for (Trial& trial : entry.trials) make_plain(trial.algorithm);
  const auto [place, added] = entries_.try_emplace(std::move(key));
  if (added || !supersedes(place->second, entry)) place->second = std::move(entry);
}

void Wisdom::merge(const Wisdom& other) {
  for (const auto& [key, entry] : other.entries_) learn(key, entry);
}

std::string ranks_text(const Machine& machine) {
  const Rank least = machine.size_of(machine.smallest_node());
  const Rank most = machine.size_of(machine.largest_node());
  return fmt::format("{}, {} of {}{}", counted(machine.ranks(), "rank"),
                     counted(machine.nodes(), "node"),
                     least == most ? fmt::format("{}", most) : fmt::format("{}-{}", least, most),
                     machine.crossings() > machine.nodes() ? ", mixed" : "");
}

std::string day_text(std::int64_t found) {
  return fmt::format("{:%Y-%m-%d}", std::chrono::sys_seconds(std::chrono::seconds(found)));
}

}  // namespace shunt
