#include "schedule/short_axis.hpp"

#include <algorithm>
#include <utility>

namespace shunt {

namespace {

/// One side of the dimension, from the first index that is moved.
struct CyclicBlocks {
  const BlockCyclic& dimension;
  Index begin;

  [[nodiscard]] Rank place_at(Index index) const { return dimension.place_of(index + begin); }
  /// Where the block ends that has an index.
  [[nodiscard]] Index end_at(Index index) const {
    return index + dimension.block - (index + begin) % dimension.block;
  }
};

/// Collects meetings, and forgets those that it has, now and then: it keeps at most about twice as
/// many as there are.
class Collection {
 public:
  explicit Collection(Index most) : most_(static_cast<std::size_t>(most)) {}

  void add(Rank sender, Rank receiver) {
    edges_.push_back({sender, receiver});
    if (edges_.size() >= limit_) tidy();
  }
  [[nodiscard]] bool is_full() const { return distinct_ == most_; }
  [[nodiscard]] std::vector<Edge> take() {
    tidy();
    return std::move(edges_);
  }

 private:
  void tidy() {
    const auto key = [](const Edge& edge) { return std::pair(edge.row, edge.column); };
    std::ranges::sort(edges_, {}, key);
    edges_.erase(std::ranges::unique(edges_, {}, key).begin(), edges_.end());
    distinct_ = edges_.size();
    limit_ = 2 * distinct_ + 64;
  }

  std::size_t most_;
  std::size_t distinct_ = 0;
  std::size_t limit_ = 64;
  std::vector<Edge> edges_;
};

/// For each of the longer blocks the shorter ones in it, until their places come again.
std::vector<Edge> merge(const RedistributionAxis& axis, Index most) {
  const bool from_is_longer = axis.from.block >= axis.to.block;
  const CyclicBlocks from{axis.from, axis.from_begin};
  const CyclicBlocks to{axis.to, axis.to_begin};
  const CyclicBlocks& longer = from_is_longer ? from : to;
  const CyclicBlocks& shorter = from_is_longer ? to : from;
  Collection meetings(most);
  Index end = 0;
  for (Index begin = 0; begin < axis.extent && !meetings.is_full(); begin = end) {
    end = std::min(longer.end_at(begin), axis.extent);
    const Rank place = longer.place_at(begin);
    Rank places = shorter.dimension.places;
    for (Index at = begin; at < end && places > 0; at = shorter.end_at(at), --places) {
      const Rank other = shorter.place_at(at);
      from_is_longer ? meetings.add(place, other) : meetings.add(other, place);
    }
  }
  return meetings.take();
}

}  // namespace

ShortAxis::ShortAxis(const RedistributionAxis& axis, Index most)
    : senders_(axis.from.places), receivers_(axis.to.places), edges_(merge(axis, most)) {
  count_meetings();
}

void ShortAxis::count_meetings() {
  first_of_sender_.assign(static_cast<std::size_t>(senders_) + 1, 0);
  first_of_receiver_.assign(static_cast<std::size_t>(receivers_) + 1, 0);
  for (const Edge& edge : edges_) {
    ++first_of_sender_[static_cast<std::size_t>(edge.row) + 1];
    ++first_of_receiver_[static_cast<std::size_t>(edge.column) + 1];
  }
  for (Firsts* firsts : {&first_of_sender_, &first_of_receiver_}) {
    for (std::size_t k = 1; k < firsts->size(); ++k) (*firsts)[k] += (*firsts)[k - 1];
  }
  by_receiver_.resize(edges_.size());
  Firsts next = first_of_receiver_;
  for (std::size_t k = 0; k < edges_.size(); ++k) {
    by_receiver_[next[static_cast<std::size_t>(edges_[k].column)]++] = k;
  }
}

Rank ShortAxis::most_of(const Firsts& firsts) {
  std::size_t most = 0;
  for (std::size_t k = 1; k < firsts.size(); ++k) most = std::max(most, firsts[k] - firsts[k - 1]);
  return static_cast<Rank>(most);
}

std::vector<Meeting> ShortAxis::sends(Rank sender) const {
  std::vector<Meeting> meetings;
  const auto place = static_cast<std::size_t>(sender);
  for (std::size_t k = first_of_sender_[place]; k < first_of_sender_[place + 1]; ++k) {
    meetings.push_back({edges_[k].column, static_cast<Index>(k), 0, 0});
  }
  return meetings;
}

std::vector<Meeting> ShortAxis::receives(Rank receiver) const {
  std::vector<Meeting> meetings;
  const auto place = static_cast<std::size_t>(receiver);
  for (std::size_t k = first_of_receiver_[place]; k < first_of_receiver_[place + 1]; ++k) {
    const std::size_t edge = by_receiver_[k];
    meetings.push_back({edges_[edge].row, static_cast<Index>(edge), 0, 0});
  }
  return meetings;
}

std::function<int(const Meeting&)> ShortAxis::steps() const {
  return [colours = colour_edges(senders_, receivers_, edges_)](const Meeting& meeting) {
    return colours[static_cast<std::size_t>(meeting.number)];
  };
}

}  // namespace shunt
