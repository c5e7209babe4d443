#include "routing/streams.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt {

namespace {

/// Hands out the bytes of a stream from the front.
class StreamReader {
 public:
  explicit StreamReader(std::span<const Range> ranges) : ranges_(ranges) {}

  /// Appends the ranges of the next `length` bytes; neighbours in one place become one range.
  void take(Bytes length, std::vector<Range>& to) {
    while (length > 0) {
      const Range& range = ranges_[next_];
      const Bytes part = std::min(length, range.length - taken_);
      append(to, {range.place, range.offset + taken_, part});
      length -= part;
      taken_ += part;
      if (taken_ == range.length) {
        ++next_;
        taken_ = 0;
      }
    }
  }

 private:
  static void append(std::vector<Range>& to, const Range& range) {
    if (!to.empty() && to.back().place == range.place &&
        to.back().offset + to.back().length == range.offset) {
      to.back().length += range.length;
    } else {
      to.push_back(range);
    }
  }

  std::span<const Range> ranges_;
  std::size_t next_ = 0;
  Bytes taken_ = 0;
};

/// The message for a target among those of the steps.
class Targets {
 public:
  Targets(std::span<const Step> steps, std::vector<Outgoing>& messages) : messages_(messages) {
    std::size_t count = 0;
    for (const Step& step : steps) {
      if (step.to == kNoRank) continue;
      if (messages.size() == count) messages.emplace_back();
      messages[count].to = step.to;
      messages[count].payload = 0;
      messages[count].contents.clear();
      messages[count].ranges.clear();
      by_target_.emplace_back(step.to, count);
      ++count;
    }
    messages.resize(count);
    std::ranges::sort(by_target_);
  }

  Outgoing& operator[](Rank target) {
    const auto place = std::ranges::lower_bound(by_target_, std::pair{target, std::size_t{0}});
    if (place == by_target_.end() || place->first != target) {
      throw Error(
          ErrorKind::internal,
          fmt::format("data is to go to rank {}, which the schedule does not name", target));
    }
    return messages_[place->second];
  }

 private:
  std::vector<Outgoing>& messages_;
  std::vector<std::pair<Rank, std::size_t>> by_target_;
};

}  // namespace

void Streams::set_blocks(std::span<const Bytes> counts) {
  destinations_.clear();
  lengths_.clear();
  first_.clear();
  ranges_.clear();
  for (std::size_t destination = 0; destination < counts.size(); ++destination) {
    if (counts[destination] == 0) continue;
    destinations_.push_back(static_cast<Rank>(destination));
    lengths_.push_back(counts[destination]);
    first_.push_back(ranges_.size());
    ranges_.push_back({destination, 0, counts[destination]});
  }
  first_.push_back(ranges_.size());
}

void Streams::set_messages(Rank ranks, std::span<const Contents> messages) {
  // Count the ranges of each destination, then deal them out: senders stay in order.
  std::vector<std::size_t> next(index_of(ranks), 0);
  std::vector<Bytes> length(index_of(ranks), 0);
  for (const Contents& contents : messages) {
    for (const Entry& entry : contents) {
      ++next[index_of(entry.destination)];
      length[index_of(entry.destination)] += entry.length;
    }
  }
  destinations_.clear();
  lengths_.clear();
  first_.clear();
  std::size_t total = 0;
  for (Rank destination = 0; destination < ranks; ++destination) {
    const std::size_t count = next[index_of(destination)];
    if (count == 0) continue;
    destinations_.push_back(destination);
    lengths_.push_back(length[index_of(destination)]);
    first_.push_back(total);
    next[index_of(destination)] = total;
    total += count;
  }
  first_.push_back(total);
  ranges_.resize(total);
  for (std::size_t message = 0; message < messages.size(); ++message) {
    Bytes offset = 0;
    for (const Entry& entry : messages[message]) {
      ranges_[next[index_of(entry.destination)]++] = {message, offset, entry.length};
      offset += entry.length;
    }
  }
}

Streams::Stream Streams::operator[](std::size_t position) const {
  const std::size_t begin = first_[position];
  return {destinations_[position], lengths_[position],
          std::span(ranges_).subspan(begin, first_[position + 1] - begin)};
}

void sort_out(const Algorithm& algorithm, int stage, Rank rank, const Streams& streams,
              std::span<const Step> steps, std::vector<Outgoing>& messages) {
  Targets targets(steps, messages);
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const Streams::Stream stream = streams[i];
    pieces.clear();
    algorithm.route(stage, rank, stream.destination, stream.length, pieces);
    StreamReader reader(stream.ranges);
    for (const Piece& piece : pieces) {
      const Bytes length = piece.end - piece.begin;
      Outgoing& message = targets[piece.to];
      message.payload += length;
      message.contents.push_back({stream.destination, length});
      reader.take(length, message.ranges);
    }
  }
}

}  // namespace shunt
