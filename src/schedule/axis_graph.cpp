#include "schedule/axis_graph.hpp"

#include <numeric>
#include <utility>

#include "schedule/block_cyclic_classes.hpp"
#include "schedule/block_cyclic_steps.hpp"
#include "schedule/short_axis.hpp"

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
