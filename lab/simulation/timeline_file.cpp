#include "lab/simulation/timeline_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/input_file.hpp"

namespace shunt {

namespace {

using nlohmann::json;

constexpr std::string_view kTimelineFormat = "shunt-timeline";
constexpr std::int64_t kTimelineVersion = 1;
constexpr std::size_t kLongestTimelineLine = 4096;
constexpr std::int64_t kMostTimelineRanks = std::numeric_limits<Rank>::max();

/// Reads the values of one line's object.
class LineReader {
 public:
  LineReader(const InputFile& file, const std::string& line)
      : file_(file), object_(json::parse(line, nullptr, /*allow_exceptions=*/false)) {
    if (!object_.is_object()) file.fail("the line must be a JSON object");
  }

  [[nodiscard]] bool is(const char* key, const json& value) const {
    return object_.value(key, json()) == value;
  }

  [[nodiscard]] std::int64_t integer(const char* key, std::int64_t least, std::int64_t most) const {
    const auto found = object_.find(key);
    // What needs the 64th bit turns negative here, and what needs more is no integer to the parser.
    const std::int64_t value =
        found != object_.end() && found->is_number_integer() ? found->get<std::int64_t>() : -1;
    if (value < least || value > most) {
      file_.fail(fmt::format("\"{}\" must be a whole number from {} to {}", key, least, most));
    }
    return value;
  }

  [[nodiscard]] double seconds(const char* key) const {
    const auto found = object_.find(key);
    const double value = found != object_.end() && found->is_number() ? found->get<double>() : -1;
    if (!(value >= 0) || !std::isfinite(value)) {
      file_.fail(fmt::format("\"{}\" must be a number of seconds, 0 or more", key));
    }
    return value;
  }

 private:
  const InputFile& file_;
  json object_;
};

Transfer transfer_from(const InputFile& file, const LineReader& line, const Timeline& timeline) {
  Transfer transfer;
  transfer.stage = static_cast<int>(line.integer("stage", 1, timeline.stages)) - 1;
  transfer.from = static_cast<Rank>(line.integer("from", 0, timeline.ranks - 1));
  transfer.to = static_cast<Rank>(line.integer("to", 0, timeline.ranks - 1));
  transfer.bytes = line.integer("bytes", 0, std::numeric_limits<Bytes>::max());
  transfer.begin = line.seconds("begin");
  transfer.end = line.seconds("end");
  if (transfer.begin > transfer.end || transfer.end > timeline.seconds) {
    file.fail("\"begin\" must not be after \"end\", nor that after the \"seconds\" of all");
  }
  return transfer;
}

}  // namespace

std::string timeline_text(const Timeline& timeline) {
  const json header = {{"format", kTimelineFormat},   {"version", kTimelineVersion},
                       {"ranks", timeline.ranks},     {"stages", timeline.stages},
                       {"seconds", timeline.seconds}, {"transfers", timeline.transfers.size()}};
  std::string text = header.dump() + "\n";
  for (const Transfer& transfer : timeline.transfers) {
    const json line = {{"stage", transfer.stage + 1}, {"from", transfer.from},
                       {"to", transfer.to},           {"bytes", transfer.bytes},
                       {"begin", transfer.begin},     {"end", transfer.end}};
    text += line.dump() + "\n";
  }
  return text;
}

Timeline read_timeline(const std::string& path) {
  InputFile file(path);
  std::string text;
  if (!file.next_line(text, kLongestTimelineLine)) file.fail("the file is empty");
  const LineReader header(file, text);
  if (!header.is("format", kTimelineFormat) || !header.is("version", kTimelineVersion)) {
    file.fail(fmt::format("the first line must have \"format\":\"{}\" and \"version\":{}",
                          kTimelineFormat, kTimelineVersion));
  }
  Timeline timeline;
  timeline.ranks = static_cast<Rank>(header.integer("ranks", 1, kMostTimelineRanks));
  timeline.stages = static_cast<int>(header.integer("stages", 1, std::numeric_limits<int>::max()));
  timeline.seconds = header.seconds("seconds");
  const std::int64_t transfers =
      header.integer("transfers", 0, std::numeric_limits<std::int64_t>::max());
  while (std::cmp_less(timeline.transfers.size(), transfers)) {
    if (!file.next_line(text, kLongestTimelineLine)) {
      file.fail(
          fmt::format("the file has {} of {} messages", timeline.transfers.size(), transfers));
    }
    timeline.transfers.push_back(transfer_from(file, LineReader(file, text), timeline));
  }
  if (file.next_line(text, kLongestTimelineLine))
    file.fail("there is more than the messages announced");
  return timeline;
}

}  // namespace shunt
