#include "algorithms/broadcast_registry.hpp"

#include <fmt/format.h>

#include "algorithms/broadcast/broadcasts.hpp"
#include "algorithms/parameters.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

template <std::unique_ptr<Broadcast> (*make)(Sources)>
std::unique_ptr<Broadcast> make_plain(const BroadcastSetting& setting, std::string_view parameter) {
  expect_no_parameter(parameter);
  return make(setting.sources);
}

constexpr BroadcastEntry kRegistry[] = {
    {"br-lin", "", "Hambrusch 1998, 2", "none", "2 log2 p", "br-lin", false,
     make_plain<make_br_lin>},
};

/// The names that the entry's examples have for that many ranks.
void append_examples(const BroadcastEntry& entry, Rank ranks, std::vector<std::string>& names) {
  const Sources nobody(std::vector<Bytes>(static_cast<std::size_t>(ranks), 0));
  for_each_example(entry, [&](std::string_view example) {
    names.push_back(make_broadcast(example, nobody)->name());
  });
}

}  // namespace

std::span<const BroadcastEntry> broadcast_registry() { return kRegistry; }

std::unique_ptr<Broadcast> make_broadcast(std::string_view name, const Sources& sources,
                                          const Surroundings& surroundings, const LinkCost& cost) {
  std::string_view parameter = name;
  const auto* const entry = find_entry(kRegistry, parameter);
  if (entry == std::end(kRegistry)) {
    throw Error(ErrorKind::argument,
                fmt::format("there is no broadcast \"{}\"; `shunt algorithms --broadcast` lists "
                            "them",
                            name));
  }
  if (sources.ranks() < 1) {
    throw Error(ErrorKind::argument, "a broadcast is among 1 or more ranks, not among 0");
  }
  return entry->make({sources, surroundings, cost}, parameter);
}

std::unique_ptr<Broadcast> make_broadcast(std::string_view name, const Sources& sources) {
  return make_broadcast(name, sources, Surroundings::flat(sources.ranks()));
}

std::vector<std::string> broadcast_names(Rank ranks) {
  std::vector<std::string> names;
  for (const BroadcastEntry& entry : kRegistry) append_examples(entry, ranks, names);
  return names;
}

std::vector<std::string> node_broadcast_names() {
  std::vector<std::string> names;
  for (const BroadcastEntry& entry : kRegistry) {
    if (entry.by_nodes) append_examples(entry, 1, names);
  }
  return names;
}

}  // namespace shunt
