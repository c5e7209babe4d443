#include "tools/explain/schedule_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tools/common/table.hpp"

namespace shunt {

namespace {

constexpr Rank kStall = -2;

std::string number_or_blank(Rank rank) { return rank == kNoRank ? "" : std::to_string(rank); }

void append_line(std::string& out, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out.append(line).append("\n");
}

}  // namespace

void ScheduleTable::add(Rank sender, Rank number, const std::vector<Step>& steps) {
  std::vector<Rank> receivers(static_cast<std::size_t>(step_count_), kNoRank);
  int last = 0;
  for (const Step& step : steps) {
    if (step.to == kNoRank) continue;
    receivers[static_cast<std::size_t>(step.number - 1)] = step.to;
    last = step.number;
  }
  std::replace(receivers.begin(), receivers.begin() + last, kNoRank, kStall);
  senders_.push_back({sender, number, std::move(receivers)});
}

bool ScheduleTable::contended(Rank receiver, int step) const {
  return std::ranges::count_if(senders_, [&](const Sender& sender) {
           return sender.receivers[static_cast<std::size_t>(step - 1)] == receiver;
         }) > 1;
}

std::string ScheduleTable::cell(const Sender& sender, int step) const {
  const Rank receiver = sender.receivers[static_cast<std::size_t>(step - 1)];
  std::string text = receiver == kStall ? "X" : number_or_blank(receiver);
  if (marks_contention_) text += receiver >= 0 && contended(receiver, step) ? '*' : ' ';
  return text;
}

std::string ScheduleTable::text(const std::string& numbered) const {
  const std::string last_label = fmt::format("Step {}", step_count_);
  const std::size_t label_width = std::max({last_label.size(), numbered.size(), std::size_t{6}});
  const std::string_view unmarked = marks_contention_ ? " " : "";
  std::size_t width = 0;
  for (const Sender& sender : senders_) {
    width = std::max(width, number_or_blank(sender.rank).size() + unmarked.size());
    for (int step = 1; step <= step_count_; ++step) {
      width = std::max(width, cell(sender, step).size());
    }
  }
  const std::size_t senders_abreast = (kPageWidth - label_width) / (width + 2);

  std::string out;
  for (std::size_t first = 0; first < senders_.size(); first += senders_abreast) {
    const std::size_t end = std::min(first + senders_abreast, senders_.size());
    auto line = [&](const std::string& label, auto cell_of) {
      std::string text = fmt::format("{:<{}}", label, label_width);
      for (std::size_t i = first; i < end; ++i) {
        text += fmt::format("  {:>{}}", cell_of(senders_[i]), width);
      }
      append_line(out, std::move(text));
    };
    if (first > 0) out += '\n';
    if (!numbered.empty()) {
      line(numbered, [&](const Sender& sender) {
        return fmt::format("{}{}", number_or_blank(sender.number), unmarked);
      });
    }
    line("Sender",
         [&](const Sender& sender) { return fmt::format("{}{}", sender.rank, unmarked); });
    for (int step = 1; step <= step_count_; ++step) {
      line(fmt::format("Step {}", step), [&](const Sender& sender) { return cell(sender, step); });
    }
  }
  if (out.find('X') != std::string::npos) out += "\nX: inserted stall\n";
  if (out.find('*') != std::string::npos) out += "\n*: node contention\n";
  return out;
}

nlohmann::json ScheduleTable::json() const {
  nlohmann::json senders = nlohmann::json::array();
  for (const Sender& sender : senders_) {
    nlohmann::json receivers = nlohmann::json::array();
    for (int step = 1; step <= step_count_; ++step) {
      const Rank receiver = sender.receivers[static_cast<std::size_t>(step - 1)];
      if (receiver == kStall) {
        receivers.push_back("X");
      } else if (receiver == kNoRank) {
        receivers.push_back(nullptr);
      } else {
        receivers.push_back(receiver);
      }
    }
    senders.push_back({{"sender", sender.rank}, {"receivers", std::move(receivers)}});
  }
  return {{"steps", step_count_}, {"senders", std::move(senders)}};
}

}  // namespace shunt
