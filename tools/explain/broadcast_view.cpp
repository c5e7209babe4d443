#include "tools/explain/broadcast_view.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "lab/flow/broadcast_flow.hpp"
#include "model/counted.hpp"
#include "shunt/error.hpp"
#include "tools/common/table.hpp"

namespace shunt {

namespace {

Table stage_table(const Broadcast& broadcast, const BroadcastFlow& flow) {
  Table table({{"stage"},
               {"what", Align::left},
               {"steps"},
               {"messages"},
               {"active ranks"},
               {"longest", Align::right, "longest_bytes"},
               {"bytes in all", Align::right, "total_bytes"}});
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

BroadcastView::BroadcastView(const Broadcast& broadcast, std::optional<Rank> rank)
    : broadcast_(broadcast), rank_(rank) {
  if (rank && (*rank < 0 || *rank >= broadcast.ranks())) {
    throw Error(ErrorKind::argument, fmt::format("there is no rank {}: the ranks are 0 to {}",
                                                 *rank, broadcast.ranks() - 1));
  }
}

std::string BroadcastView::text() const {
  const Sources& sources = broadcast_.sources();
  std::string text =
      fmt::format("{} from {} of {}: {}, at most {}\n\n", broadcast_.name(), sources.count(),
                  counted(sources.ranks(), "rank"), counted(broadcast_.stages(), "stage"),
                  counted(broadcast_.start_ups(), "start-up"));
  if (rank_) return text + rank_table(broadcast_, *rank_).text();
  text += stage_table(broadcast_, follow_broadcast(broadcast_)).text();
  return text + "\n" + metrics_table(broadcast_).text();
}

nlohmann::json BroadcastView::json() const {
  const auto list = broadcast_.sources().list();
  const std::vector<Rank> sources(list.begin(), list.end());
  nlohmann::json document = {{"algorithm", broadcast_.name()},
                             {"ranks", broadcast_.ranks()},
                             {"sources", sources},
                             {"start_ups", broadcast_.start_ups()}};
  if (rank_) {
    document["schedule"] = rank_table(broadcast_, *rank_).json();
    return document;
  }
  document["stages"] = stage_table(broadcast_, follow_broadcast(broadcast_)).json();
  document["metrics"] = metrics_table(broadcast_).json();
  return document;
}

}  // namespace shunt
