#include "tools/explain/allgather_view.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "lab/flow/allgather_flow.hpp"
#include "model/counted.hpp"
#include "shunt/error.hpp"
#include "tools/common/table.hpp"

namespace shunt {

namespace {

Table stage_table(const Allgather& allgather, const AllgatherFlow& flow) {
  Table table({{"stage"},
               {"what", Align::left},
               {"steps"},
               {"messages"},
               {"active ranks"},
               {"longest", Align::right, "longest_bytes"},
               {"bytes in all", Align::right, "total_bytes"}});
  for (int stage = 0; stage < allgather.stages(); ++stage) {
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
    table.add({stage + 1, allgather.stage_name(stage), steps.size(), messages.size(), active.size(),
               longest, sum});
  }
  return table;
}

/// Hambrusch 1998, Section 4, a stage for an iteration.
Table metrics_table(const Allgather& allgather) {
  const AllgatherMetrics metrics = metrics_of(allgather, Iteration::stage);
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
std::string sources_in(const Allgather& allgather, int stage, Rank from, Rank to) {
  std::vector<Share> shares;
  allgather.shares(stage, from, to, shares);
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

Table rank_table(const Allgather& allgather, Rank rank) {
  Table table({{"stage"},
               {"what", Align::left},
               {"step"},
               {"to"},
               {"sends blocks of", Align::left},
               {"from"},
               {"receives blocks of", Align::left}});
  for (int stage = 0; stage < allgather.stages(); ++stage) {
    for (const Step& step : allgather.steps(stage, rank)) {
      const bool sends = step.to != kNoRank;
      const bool receives = step.from != kNoRank;
      table.add({stage + 1, allgather.stage_name(stage), step.number,
                 sends ? Cell(step.to) : Cell(),
                 sends ? Cell(sources_in(allgather, stage, rank, step.to)) : Cell(),
                 receives ? Cell(step.from) : Cell(),
                 receives ? Cell(sources_in(allgather, stage, step.from, rank)) : Cell()});
    }
  }
  return table;
}

}  // namespace

AllgatherView::AllgatherView(const Allgather& allgather, std::optional<Rank> rank)
    : allgather_(allgather), rank_(rank) {
  if (rank && (*rank < 0 || *rank >= allgather.ranks())) {
    throw Error(ErrorKind::argument, fmt::format("there is no rank {}: the ranks are 0 to {}",
                                                 *rank, allgather.ranks() - 1));
  }
}

std::string AllgatherView::text() const {
  const Sources& sources = allgather_.sources();
  std::string text =
      fmt::format("{} from {} of {}: {}, at most {}\n\n", allgather_.name(), sources.count(),
                  counted(sources.ranks(), "rank"), counted(allgather_.stages(), "stage"),
                  counted(allgather_.start_ups(), "start-up"));
  if (rank_) return text + rank_table(allgather_, *rank_).text();
  text += stage_table(allgather_, follow_allgather(allgather_)).text();
  return text + "\n" + metrics_table(allgather_).text();
}

nlohmann::json AllgatherView::json() const {
  const auto list = allgather_.sources().list();
  const std::vector<Rank> sources(list.begin(), list.end());
  nlohmann::json document = {{"algorithm", allgather_.name()},
                             {"ranks", allgather_.ranks()},
                             {"sources", sources},
                             {"start_ups", allgather_.start_ups()}};
  if (rank_) {
    document["schedule"] = rank_table(allgather_, *rank_).json();
    return document;
  }
  document["stages"] = stage_table(allgather_, follow_allgather(allgather_)).json();
  document["metrics"] = metrics_table(allgather_).json();
  return document;
}

}  // namespace shunt
