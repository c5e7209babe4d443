#include "tools/explain/redistribution_view.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/schedules/guo_rows.hpp"
#include "model/array_layout.hpp"
#include "model/counted.hpp"
#include "schedule/redistribution_schedule.hpp"
#include "shunt/error.hpp"
#include "tools/common/table.hpp"

namespace shunt {

namespace {

/// What fits into a line.
constexpr Rank kMostPlaces = 60;

/// As one writes it for the command.
std::string name_of(const std::vector<BlockCyclic>& side) {
  if (side.size() == 1) {
    return fmt::format("CYCLIC({}) onto {}", side.front().block, side.front().places);
  }
  std::vector<std::string> formats;
  std::vector<Rank> grid;
  for (const BlockCyclic& dimension : side) {
    formats.push_back(dimension.places == 1 ? "*" : fmt::format("CYCLIC({})", dimension.block));
    if (dimension.places > 1) grid.push_back(dimension.places);
  }
  const std::string onto = grid.empty() ? "" : fmt::format(" onto {}", fmt::join(grid, "x"));
  return fmt::format("({}){}", fmt::join(formats, ", "), onto);
}

std::vector<Index> shape_of(const std::vector<BlockCyclic>& side) {
  std::vector<Index> shape;
  for (const BlockCyclic& dimension : side) shape.push_back(dimension.extent);
  return shape;
}

std::vector<RedistributionAxis> axes_of(const std::vector<BlockCyclic>& from,
                                        const std::vector<BlockCyclic>& to) {
  std::vector<RedistributionAxis> axes;
  for (std::size_t k = 0; k < from.size(); ++k) axes.push_back({from[k], to[k], from[k].extent});
  return axes;
}

/// Whether all blocks of one side are multiples of the other's.
bool are_longer(const std::vector<BlockCyclic>& side, const std::vector<BlockCyclic>& other) {
  for (std::size_t k = 0; k < side.size(); ++k) {
    if (side[k].block % other[k].block != 0) return false;
  }
  return true;
}

/// Step by step; a stroke where there is nothing to do.
std::string row_text(const std::vector<Rank>& row) {
  std::string text;
  for (const Rank place : row) {
    text += (text.empty() ? "" : " ") + (place == kNoRank ? "-" : std::to_string(place));
  }
  return text;
}

Table schedule_table(const char* who, const char* whom,
                     const std::vector<std::vector<Rank>>& rows) {
  Table table({{who}, {fmt::format("{}, step by step", whom), Align::left}});
  for (std::size_t place = 0; place < rows.size(); ++place) {
    table.add({place, row_text(rows[place])});
  }
  return table;
}

/// By place and step; null where there is nothing to do.
nlohmann::json json_of(const std::vector<std::vector<Rank>>& rows) {
  nlohmann::json json = rows;
  for (nlohmann::json& row : json) {
    for (nlohmann::json& place : row) {
      if (place == kNoRank) place = nullptr;
    }
  }
  return json;
}

/// The same messages from the other side.
std::vector<std::vector<Rank>> turned(const std::vector<std::vector<Rank>>& rows,
                                      std::size_t others) {
  std::vector<std::vector<Rank>> turned(others, std::vector<Rank>(rows.front().size(), kNoRank));
  for (std::size_t place = 0; place < rows.size(); ++place) {
    for (std::size_t step = 0; step < rows[place].size(); ++step) {
      const Rank other = rows[place][step];
      if (other == kNoRank) continue;
      turned[static_cast<std::size_t>(other)][step] = static_cast<Rank>(place);
    }
  }
  return turned;
}

}  // namespace

RedistributionView::RedistributionView(const std::vector<BlockCyclic>& from,
                                       const std::vector<BlockCyclic>& to, PlaceOrder order,
                                       std::optional<LengthRule> lengths)
    : from_(from), to_(to) {
  for (const auto* side : {&from, &to}) {
    const Rank places = grid_places({*side});
    if (places <= kMostPlaces) continue;
    throw Error(ErrorKind::argument,
                fmt::format("up to {} places can be shown, not {}", kMostPlaces, places));
  }
  const RedistributionSchedule schedule(axes_of(from, to), order, order);
  count_elements(schedule);
  if (lengths) {
    take(fmt::format("the schedule of fewest steps, {} by length",
                     *lengths == LengthRule::sorted ? "sorted" : "matched"),
         LengthSchedule(schedule, *lengths));
    return;
  }
  if (order == PlaceOrder::row_major || from.size() == 1) choose_published();
  if (rule_.empty()) take("the schedule of fewest steps", schedule);
}

void RedistributionView::count_elements(const RedistributionSchedule& schedule) {
  for (Rank sender = 0; sender < schedule.senders(); ++sender) {
    elements_.emplace_back();
    for (Rank receiver = 0; receiver < schedule.receivers(); ++receiver) {
      elements_.back().push_back(schedule.elements(sender, receiver));
    }
  }
}

void RedistributionView::choose_published() {
  const char* name = from_.size() == 1 ? "Guo 2000, Algorithm 1" : "Guo 2000, Algorithm 2";
  const auto try_senders = [&] {
    const auto sends = guo_rows(from_, to_);
    if (!rule_.empty() || !sends) return;
    accept(name, *sends, turned(*sends, elements_.front().size()));
  };
  const auto try_receivers = [&] {
    const auto receives = guo_rows(to_, from_);
    if (!rule_.empty() || !receives) return;
    accept(fmt::format("{} from the receivers' side", name), turned(*receives, elements_.size()),
           *receives);
  };
  // The paper's own side is that of the longer blocks.
  if (are_longer(from_, to_) || !are_longer(to_, from_)) {
    try_senders();
    try_receivers();
  } else {
    try_receivers();
    try_senders();
  }
}

void RedistributionView::accept(const std::string& rule, Rows sends, Rows receives) {
  // Where two places are at the same receiver, or sender, in one step, only one of them is there
  // when the table is turned round.
  for (const auto& [rows, others] : {std::tie(sends, receives), std::tie(receives, sends)}) {
    if (turned(rows, others.size()) != others) return;
  }
  for (std::size_t sender = 0; sender < sends.size(); ++sender) {
    for (const Rank receiver : sends[sender]) {
      // In the schedule of longer arrays some messages of shorter ones are empty.
      if (receiver == kNoRank) continue;
      if (elements_[sender][static_cast<std::size_t>(receiver)] == 0) return;
    }
  }
  rule_ = rule;
  sends_ = std::move(sends);
  receives_ = std::move(receives);
}

template <class Schedule>
void RedistributionView::take(const std::string& rule, const Schedule& schedule) {
  rule_ = rule;
  sends_.assign(elements_.size(),
                std::vector<Rank>(static_cast<std::size_t>(schedule.step_count()), kNoRank));
  for (std::size_t sender = 0; sender < sends_.size(); ++sender) {
    for (const Step& step : schedule.sends(static_cast<Rank>(sender))) {
      sends_[sender][static_cast<std::size_t>(step.number) - 1] = step.to;
    }
  }
  receives_ = turned(sends_, elements_.front().size());
}

StepCost RedistributionView::cost() const {
  const PlacesSteps steps{
      .senders = static_cast<Rank>(sends_.size()),
      .receivers = static_cast<Rank>(receives_.size()),
      .step_count = static_cast<int>(sends_.front().size()),
      .sends =
          [this](Rank sender) {
            std::vector<Step> sends;
            int number = 0;
            for (const Rank receiver : sends_[static_cast<std::size_t>(sender)]) {
              ++number;
              if (receiver != kNoRank) sends.push_back({number, receiver, kNoRank});
            }
            return sends;
          },
      .receives = {},
  };
  return step_cost(steps, [this](Rank sender, Rank receiver) {
    return elements_[static_cast<std::size_t>(sender)][static_cast<std::size_t>(receiver)];
  });
}

Bytes RedistributionView::messages() const {
  Bytes messages = 0;
  for (const auto& row : elements_) messages += std::ssize(row) - std::ranges::count(row, 0);
  return messages;
}

Table RedistributionView::communication() const {
  const std::size_t receivers = elements_.front().size();
  Table table({{"sender"},
               {receivers == 1 ? "receiver 0" : fmt::format("receivers 0-{}", receivers - 1),
                Align::left}});
  for (std::size_t sender = 0; sender < elements_.size(); ++sender) {
    std::string row;
    for (const Index elements : elements_[sender]) row += elements > 0 ? '1' : '.';
    table.add({sender, row});
  }
  return table;
}

std::string RedistributionView::text() const {
  // Of several dimensions the names are too long for one line.
  const char* gap = from_.size() == 1 ? " " : "\n";
  const StepCost cost = this->cost();
  const std::string shape = fmt::format("{}", fmt::join(shape_of(from_), "x"));
  return fmt::format("{}{}to {},{}{}: {} in {}\nby {}\n", name_of(from_), gap, name_of(to_), gap,
                     shape == "1" ? "1 index" : shape + " indices", counted(messages(), "message"),
                     counted(sends_.front().size(), "step"), rule_) +
         fmt::format("longest messages of all steps: {}; the busiest place has {}\n",
                     counted(cost.longest, "element"), cost.busiest) +
         "\nWho has something for whom\n\n" + communication().text() + "\nWho sends to whom\n\n" +
         schedule_table("sender", "to", sends_).text() + "\nWho receives from whom\n\n" +
         schedule_table("receiver", "from", receives_).text();
}

nlohmann::json RedistributionView::json() const {
  nlohmann::json communication;
  for (const auto& row : elements_) {
    nlohmann::json meets;
    for (const Index elements : row) meets.push_back(elements > 0);
    communication.push_back(std::move(meets));
  }
  return {{"from", name_of(from_)},
          {"to", name_of(to_)},
          {"shape", shape_of(from_)},
          {"steps", sends_.front().size()},
          {"rule", rule_},
          {"longest_messages_elements", cost().longest},
          {"busiest_place_elements", cost().busiest},
          {"communication", communication},
          {"elements", elements_},
          {"sends", json_of(sends_)},
          {"receives", json_of(receives_)}};
}

}  // namespace shunt
