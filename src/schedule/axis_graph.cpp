#include "schedule/axis_graph.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "schedule/block_cyclic_classes.hpp"
#include "schedule/block_cyclic_steps.hpp"

namespace shunt {

namespace {

BlockCyclicClasses classes_of(const RedistributionAxis& axis) {
  return {{axis.from.places, axis.from.block},
          {axis.to.places, axis.to.block},
          axis.from_begin - axis.to_begin};
}

class LongAxis : public AxisGraph {
 public:
  explicit LongAxis(const RedistributionAxis& axis)
      : classes_(classes_of(axis)),
        first_sender_{axis.from.first, axis.from.places},
        first_receiver_{axis.to.first, axis.to.places} {}

  [[nodiscard]] Rank most_sends() const override { return classes_.most_sends(); }
  [[nodiscard]] Rank most_receives() const override { return classes_.most_receives(); }

  [[nodiscard]] std::vector<Meeting> sends(Rank sender) const override {
    std::vector<Meeting> meetings;
    const Rank i = first_sender_.turn_of(sender);
    classes_.for_each_receiver(i, [&](Index q, Rank j) {
      meetings.push_back({first_receiver_.place_of(j), q, x_of(i), y_of(j)});
    });
    return meetings;
  }

  [[nodiscard]] std::vector<Meeting> receives(Rank receiver) const override {
    std::vector<Meeting> meetings;
    const Rank j = first_receiver_.turn_of(receiver);
    classes_.for_each_sender(j, [&](Index q, Rank i) {
      meetings.push_back({first_sender_.place_of(i), q, x_of(i), y_of(j)});
    });
    return meetings;
  }

  [[nodiscard]] Quotient quotient() const override { return classes_.quotient(); }
  [[nodiscard]] QuotientEdge quotient_edge(const Meeting& meeting) const override {
    return classes_.quotient_edge(meeting.number, meeting.x, meeting.y);
  }

  [[nodiscard]] std::function<int(const Meeting&)> steps() const override {
    return [steps = BlockCyclicSteps(classes_)](const Meeting& meeting) {
      return steps.step(meeting.number, meeting.x, meeting.y);
    };
  }

 private:
  /// The classes count places from that of the first block.
  struct First {
    Rank place;
    Rank places;

    [[nodiscard]] Rank turn_of(Rank other) const {
      return other < place ? other - place + places : other - place;
    }
    [[nodiscard]] Rank place_of(Rank turn) const {
      return turn < places - place ? turn + place : turn - (places - place);
    }
  };

  [[nodiscard]] Index x_of(Rank sender) const { return sender / classes_.from().turn; }
  [[nodiscard]] Index y_of(Rank receiver) const { return receiver / classes_.to().turn; }

  BlockCyclicClasses classes_;
  First first_sender_;
  First first_receiver_;
};

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

/// The most edges that one place of a side has.
Rank most_of(const std::vector<Edge>& edges, Rank Edge::*side, Rank places) {
  std::vector<Rank> counts(index_of(places), 0);
  for (const Edge& edge : edges) ++counts[index_of(edge.*side)];
  return std::ranges::max(counts);
}

/// A dimension in which not all places meet that could: all meetings, found by merging the blocks
/// of both sides. At most one for each block of either side, nor more than a longer array has; for
/// each of the longer blocks as many are looked at as shorter ones lie in it, at most one for each
/// place.
class ShortAxis : public AxisGraph {
 public:
  /// `most`: the most meetings that there can be; when they are found, no more are looked for.
  ShortAxis(const RedistributionAxis& axis, Index most)
      : senders_(axis.from.places),
        receivers_(axis.to.places),
        edges_(merge(axis, most)),
        most_sends_(most_of(edges_, &Edge::row, senders_)),
        most_receives_(most_of(edges_, &Edge::column, receivers_)),
        by_receiver_(edges_.size()) {
    std::iota(by_receiver_.begin(), by_receiver_.end(), Index{0});
    std::ranges::stable_sort(by_receiver_, {}, [&](Index k) { return edge_at(k).column; });
  }

  [[nodiscard]] Index meetings() const { return std::ssize(edges_); }

  [[nodiscard]] Rank most_sends() const override { return most_sends_; }
  [[nodiscard]] Rank most_receives() const override { return most_receives_; }

  [[nodiscard]] std::vector<Meeting> sends(Rank sender) const override {
    std::vector<Meeting> meetings;
    for (const Edge& edge : std::ranges::equal_range(edges_, sender, {}, &Edge::row)) {
      meetings.push_back({edge.column, &edge - edges_.data(), 0, 0});
    }
    return meetings;
  }

  [[nodiscard]] std::vector<Meeting> receives(Rank receiver) const override {
    std::vector<Meeting> meetings;
    const auto receiver_of = [&](Index k) { return edge_at(k).column; };
    for (const Index k : std::ranges::equal_range(by_receiver_, receiver, {}, receiver_of)) {
      meetings.push_back({edge_at(k).row, k, 0, 0});
    }
    return meetings;
  }

  /// Returns the graph itself: no places are counted as one.
  [[nodiscard]] Quotient quotient() const override { return {senders_, receivers_, edges_, 1}; }
  [[nodiscard]] QuotientEdge quotient_edge(const Meeting& meeting) const override {
    return {meeting.number, 0};
  }

  /// Colours the graph: costs as `colour_edges` does.
  [[nodiscard]] std::function<int(const Meeting&)> steps() const override {
    return [colours = colour_edges(senders_, receivers_, edges_)](const Meeting& meeting) {
      return colours[static_cast<std::size_t>(meeting.number)];
    };
  }

 private:
  [[nodiscard]] const Edge& edge_at(Index k) const { return edges_[static_cast<std::size_t>(k)]; }

  Rank senders_;
  Rank receivers_;
  std::vector<Edge> edges_;  ///< by sender, and then by receiver
  Rank most_sends_;
  Rank most_receives_;
  std::vector<Index> by_receiver_;  ///< the places of edges in `edges_`
};

/// Whether the extent is at least the least common multiple of the strides.
bool is_long(const RedistributionAxis& axis) {
  const Index from = block_stride(axis.from.places, axis.from.block);
  const Index to = block_stride(axis.to.places, axis.to.block);
  return axis.extent / from >= to / std::gcd(from, to);
}

}  // namespace

std::unique_ptr<AxisGraph> make_axis_graph(const RedistributionAxis& axis) {
  if (is_long(axis)) return std::make_unique<LongAxis>(axis);
  const Index most = classes_of(axis).meetings();
  auto graph = std::make_unique<ShortAxis>(axis, most);
  if (graph->meetings() == most) return std::make_unique<LongAxis>(axis);
  return graph;
}

}  // namespace shunt
