#include "broadcast_view.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "algorithms/broadcast_registry.hpp"
#include "algorithms/parameters.hpp"
#include "model/source_patterns.hpp"
#include "routing/broadcast_flow.hpp"
#include "shunt/error.hpp"
#include "table.hpp"

namespace shunt {

namespace {

constexpr Rank kMostRanks = 4096;

Surroundings surroundings_of(const SourceOptions& options, Rank ranks,
                             const std::shared_ptr<const Machine>& machine) {
  Surroundings surroundings = Surroundings::flat(ranks);
  if (machine != nullptr) surroundings.machine = [machine] { return machine; };
  surroundings.torus = [array = options.given_array()] { return array; };
  return surroundings;
}

Table stage_table(const Broadcast& broadcast, const BroadcastFlow& flow) {
  Table table({{"stage"},
               {"what", Align::left},
               {"steps"},
               {"messages"},
               {"active ranks"},
               {"longest"},
               {"bytes in all"}});
  for (int stage = 0; stage < broadcast.stages(); ++stage) {
    std::set<int> steps;
    std::set<Rank> active;
    Bytes longest = 0;
    Bytes sum = 0;
    const auto& messages = flow[static_cast<std::size_t>(stage)];
    for (const SizedMessage& message : messages) {
      steps.insert(message.step);
      active.insert({message.from, message.to});
      longest = std::max(longest, message.bytes);
      sum += message.bytes;
    }
    table.add({stage + 1, broadcast.stage_name(stage), steps.size(), messages.size(), active.size(),
               longest, sum});
  }
  return table;
}

/// Hambrusch 1998, Section 4, a stage for an iteration.
Table metrics_table(const Broadcast& broadcast) {
  const BroadcastMetrics metrics = metrics_of(broadcast, Iteration::stage);
  Table table({{"metric", Align::left}, {"what", Align::left}, {"value"}});
  table.add({"#send/rec", "messages that a rank sends and receives, at most", metrics.messages});
  table.add({"congestion", "the same in one stage", metrics.congestion});
  table.add({"wait", "times that a rank waits for data before it sends, at most", metrics.wait});
  table.add({"av_msg_lgth", "bytes that the busiest rank sends or receives in a stage",
             rounded(metrics.average_length, 1)});
  table.add(
      {"av_act_proc", "ranks that are active in a stage", rounded(metrics.average_active, 2)});
  return table;
}

/// The sources whose blocks a message takes: "0-3 7".
std::string sources_in(const Broadcast& broadcast, int stage, Rank from, Rank to) {
  std::vector<Share> shares;
  broadcast.shares(stage, from, to, shares);
  std::string text;
  for (std::size_t first = 0; first < shares.size();) {
    std::size_t last = first;
    while (last + 1 < shares.size() && shares[last + 1].source == shares[last].source + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : " ", shares[first].source);
    if (last > first) text += fmt::format("-{}", shares[last].source);
    first = last + 1;
  }
  return text;
}

Table rank_table(const Broadcast& broadcast, Rank rank) {
  Table table({{"stage"},
               {"what", Align::left},
               {"step"},
               {"to"},
               {"sends blocks of", Align::left},
               {"from"},
               {"receives blocks of", Align::left}});
  for (int stage = 0; stage < broadcast.stages(); ++stage) {
    for (const Step& step : broadcast.steps(stage, rank)) {
      const bool sends = step.to != kNoRank;
      const bool receives = step.from != kNoRank;
      table.add({stage + 1, broadcast.stage_name(stage), step.number,
                 sends ? Cell(step.to) : Cell(),
                 sends ? Cell(sources_in(broadcast, stage, rank, step.to)) : Cell(),
                 receives ? Cell(step.from) : Cell(),
                 receives ? Cell(sources_in(broadcast, stage, step.from, rank)) : Cell()});
    }
  }
  return table;
}

}  // namespace

std::string source_pattern_names() {
  constexpr std::size_t kOnALine = 4;
  std::string names;
  for (std::size_t i = 0; i < source_patterns().size(); ++i) {
    if (i > 0) names += i % kOnALine == 0 ? ",\n" : ", ";
    names += source_patterns()[i].name;
  }
  return names;
}

CLI::Option* SourceOptions::add_to(CLI::App& command) {
  CLI::Option* const option = command.add_option(
      "--sources", sources,
      fmt::format(
          "Show a broadcast from so many ranks, placed on an\narray: NAME:COUNT, where NAME "
          "is one of\n{}",
          source_pattern_names()));
  command.add_option("--array", array, "The array. Default: a nearly square one")->needs(option);
  command.add_option("--length", length, "Bytes of the block of a source")
      ->check(CLI::Range(Bytes{1}, Bytes{1} << 40))
      ->capture_default_str()
      ->needs(option);
  return option;
}

std::optional<Extents> SourceOptions::given_array() const {
  if (array.empty()) return std::nullopt;
  return Extents::parse(array);
}

Sources SourceOptions::make(Rank ranks) const {
  if (ranks > kMostRanks) {
    throw Error(ErrorKind::argument,
                fmt::format("a broadcast among {} ranks is too large to show: the most is {}",
                            ranks, kMostRanks));
  }
  std::string_view count = sources;
  const std::string_view name = take_until(':', count);
  const SourceShape shape{
      .array = array_or_usual(array, ranks, 1, Surroundings::flat(ranks), "an array"),
      .count = positive_number(count, "number of sources")};
  return Sources::equal(ranks, place_sources(name, shape), length);
}

BroadcastView::BroadcastView(const std::string& name, const SourceOptions& options, Rank ranks,
                             const std::shared_ptr<const Machine>& machine,
                             std::optional<Rank> rank)
    : broadcast_(
          make_broadcast(name, options.make(ranks), surroundings_of(options, ranks, machine))),
      rank_(rank) {
  if (rank && (*rank < 0 || *rank >= ranks)) {
    throw Error(ErrorKind::argument,
                fmt::format("there is no rank {}: the ranks are 0 to {}", *rank, ranks - 1));
  }
}

std::string BroadcastView::text() const {
  const Sources& sources = broadcast_->sources();
  std::string text =
      fmt::format("{} from {} of {} ranks: {} stages, at most {} start-ups\n\n", broadcast_->name(),
                  sources.count(), sources.ranks(), broadcast_->stages(), broadcast_->start_ups());
  if (rank_) return text + rank_table(*broadcast_, *rank_).text();
  text += stage_table(*broadcast_, follow_broadcast(*broadcast_)).text();
  return text + "\n" + metrics_table(*broadcast_).text();
}

nlohmann::json BroadcastView::json() const {
  const auto list = broadcast_->sources().list();
  const std::vector<Rank> sources(list.begin(), list.end());
  nlohmann::json document = {{"broadcast", broadcast_->name()},
                             {"ranks", broadcast_->ranks()},
                             {"sources", sources},
                             {"start-ups", broadcast_->start_ups()}};
  if (rank_) {
    document["schedule"] = rank_table(*broadcast_, *rank_).json();
    return document;
  }
  document["stages"] = stage_table(*broadcast_, follow_broadcast(*broadcast_)).json();
  document["metrics"] = metrics_table(*broadcast_).json();
  return document;
}

}  // namespace shunt
