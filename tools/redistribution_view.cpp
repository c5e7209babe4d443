#include "redistribution_view.hpp"

#include <numeric>

#include <fmt/format.h>

#include "schedule/block_cyclic_schedule.hpp"
#include "schedule/guo_schedule.hpp"
#include "shunt/error.hpp"
#include "table.hpp"

namespace shunt {

namespace {

/// What fits into a line.
constexpr Rank kMostPlaces = 60;

std::string name_of(const BlockCyclic& axis) {
  return fmt::format("CYCLIC({}) onto {}", axis.block, axis.places);
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
std::vector<std::vector<Rank>> turned(const std::vector<std::vector<Rank>>& rows, Rank others,
                                      int steps) {
  std::vector<std::vector<Rank>> turned(
      static_cast<std::size_t>(others),
      std::vector<Rank>(static_cast<std::size_t>(steps), kNoRank));
  for (std::size_t place = 0; place < rows.size(); ++place) {
    for (std::size_t step = 0; step < rows[place].size(); ++step) {
      const Rank other = rows[place][step];
      if (other == kNoRank) continue;
      turned[static_cast<std::size_t>(other)][step] = static_cast<Rank>(place);
    }
  }
  return turned;
}

std::vector<std::vector<Rank>> rows_of(const GuoSchedule& schedule) {
  std::vector<std::vector<Rank>> rows(static_cast<std::size_t>(schedule.senders()));
  for (Rank sender = 0; sender < schedule.senders(); ++sender) {
    for (Rank step = 1; step <= schedule.step_count(); ++step) {
      rows[static_cast<std::size_t>(sender)].push_back(schedule.receiver(sender, step));
    }
  }
  return rows;
}

std::vector<std::vector<Rank>> rows_of(const BlockCyclicSchedule& schedule, Rank senders) {
  std::vector<std::vector<Rank>> rows;
  for (Rank sender = 0; sender < senders; ++sender) {
    rows.emplace_back(static_cast<std::size_t>(schedule.step_count()), kNoRank);
    for (const Step& step : schedule.sends(sender)) {
      rows.back()[static_cast<std::size_t>(step.number) - 1] = step.to;
    }
  }
  return rows;
}

}  // namespace

RedistributionView::RedistributionView(const BlockCyclic& from, const BlockCyclic& to)
    : from_(from), to_(to) {
  for (const BlockCyclic& side : {from, to}) {
    if (side.places <= kMostPlaces) continue;
    throw Error(ErrorKind::argument,
                fmt::format("up to {} places can be shown, not {}", kMostPlaces, side.places));
  }
  if (from.block % to.block == 0 && from.places <= to.places) {
    rule_ = "Guo 2000, Algorithm 1";
    sends_ = rows_of(GuoSchedule(from.places, to.places, from.block / to.block));
    receives_ = turned(sends_, to.places, static_cast<int>(sends_.front().size()));
  } else if (to.block % from.block == 0 && to.places <= from.places) {
    rule_ = "Guo 2000, Algorithm 1 from the receivers' side";
    receives_ = rows_of(GuoSchedule(to.places, from.places, to.block / from.block));
    sends_ = turned(receives_, from.places, static_cast<int>(receives_.front().size()));
  } else {
    rule_ = "the schedule of fewest steps";
    sends_ =
        rows_of(BlockCyclicSchedule({from.places, from.block}, {to.places, to.block}), from.places);
    receives_ = turned(sends_, to.places, static_cast<int>(sends_.front().size()));
  }
  for (Rank sender = 0; sender < from.places; ++sender) {
    meets_.emplace_back();
    for (Rank receiver = 0; receiver < to.places; ++receiver) {
      const LddOverlap overlap(ldd_of(from, sender), ldd_of(to, receiver), from.extent);
      meets_.back().push_back(!overlap.empty());
    }
  }
}

Table RedistributionView::communication() const {
  Table table({{"sender"},
               {to_.places == 1 ? "receiver 0" : fmt::format("receivers 0-{}", to_.places - 1),
                Align::left}});
  for (std::size_t sender = 0; sender < meets_.size(); ++sender) {
    std::string row;
    for (const bool meets : meets_[sender]) row += meets ? '1' : '.';
    table.add({sender, row});
  }
  return table;
}

std::string RedistributionView::text() const {
  Bytes messages = 0;
  Bytes empty = 0;
  for (std::size_t sender = 0; sender < sends_.size(); ++sender) {
    for (const Rank receiver : sends_[sender]) {
      if (receiver == kNoRank) continue;
      const bool meets = meets_[sender][static_cast<std::size_t>(receiver)];
      messages += meets ? 1 : 0;
      empty += meets ? 0 : 1;
    }
  }
  std::string text =
      fmt::format("{} to {}, {} indices: {} messages in {} steps\nby {}\n", name_of(from_),
                  name_of(to_), from_.extent, messages, sends_.front().size(), rule_);
  if (empty > 0) {
    text +=
        fmt::format("the schedule is of longer arrays: of it {} more messages are empty\n", empty);
  }
  return text + "\nWho has something for whom\n\n" + communication().text() +
         "\nWho sends to whom\n\n" + schedule_table("sender", "to", sends_).text() +
         "\nWho receives from whom\n\n" + schedule_table("receiver", "from", receives_).text();
}

nlohmann::json RedistributionView::json() const {
  return {{"from", name_of(from_)},
          {"to", name_of(to_)},
          {"indices", from_.extent},
          {"steps", sends_.front().size()},
          {"rule", rule_},
          {"communication", meets_},
          {"sends", json_of(sends_)},
          {"receives", json_of(receives_)}};
}

}  // namespace shunt
