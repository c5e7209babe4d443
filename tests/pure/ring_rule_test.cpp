#include "schedule/ring_rule.hpp"

#include <map>
#include <set>
#include <utility>

#include <gtest/gtest.h>

namespace shunt {
namespace {

/// The blocks of a message, as (source, destination).
using RingBlocks = std::set<std::pair<Rank, Rank>>;

/// By sender and receiver.
using RingMessages = std::map<std::pair<Rank, Rank>, RingBlocks>;

/// Liu 2005, Fig. 2, with its garbled index put right: what is sent in each step.
class Figure2 {
 public:
  explicit Figure2(Rank size) : p_(size), f_(size / 4), g_((size + 3) / 4) {}

  [[nodiscard]] RingMessages stage_1() {
    for (Rank e = 0; e < p_; e += 2) {
      send(e, e + 1, e, e + 1, e + 2 * f_ - 1);
      send(e, e - 1, e, e + 2 * f_ + 1, e + p_ - 1);
      const Rank o = e + 1;
      send(o, o + 1, o, o + 1, o + 2 * g_ - 1);
      send(o, o - 1, o, o + 2 * g_ + 1, o + p_ - 1);
    }
    return std::exchange(messages_, {});
  }

  [[nodiscard]] RingMessages stage_2(Rank k) {
    for (Rank e = 0; e < p_; e += 2) {
      send(e, e + 2, e - 2 * k, e + 2, e + 2 * f_ - 2 * k);
      send(e, e + 2, e - 1 - 2 * k, e + 2, e + 2 * (g_ - 1) - 2 * k);
      const Rank o = e + 1;
      send(o, o - 2, o + 2 * k, o + 2 * g_ + 2 * k, o + p_ - 2);
      send(o, o - 2, o + 1 + 2 * k, o + 2 * (f_ + 1) + 2 * k, o + p_ - 2);
    }
    return std::exchange(messages_, {});
  }

  [[nodiscard]] RingMessages stage_3(Rank k) {
    for (Rank e = 0; e < p_; e += 2) {
      send(e, e - 2, e + 2 * k, e + 2 * (f_ + 1) + 2 * k, e + p_ - 2);
      send(e, e - 2, e + 1 + 2 * k, e + 2 * (g_ + 1) + 2 * k, e + p_ - 2);
      const Rank o = e + 1;
      send(o, o + 2, o - 2 * k, o + 2, o + 2 * (g_ - 1) - 2 * k);
      send(o, o + 2, o - 1 - 2 * k, o + 2, o + 2 * (f_ - 1) - 2 * k);
    }
    return std::exchange(messages_, {});
  }

 private:
  /// The messages of `source` for every second rank from `first` to `last`.
  void send(Rank from, Rank to, Rank source, Rank first, Rank last) {
    for (Rank destination = first; destination <= last; destination += 2) {
      messages_[{place(from), place(to)}].insert({place(source), place(destination)});
    }
  }

  [[nodiscard]] Rank place(Rank rank) const { return ((rank % p_) + p_) % p_; }

  Rank p_;
  Rank f_;
  Rank g_;
  RingMessages messages_;
};

/// Moves whole blocks round a ring by a rule that cuts none.
class Following {
 public:
  Following(const RingRule& rule, Rank size) : rule_(rule), size_(size) {
    for (Rank source = 0; source < size; ++source) {
      for (Rank destination = 0; destination < size; ++destination) {
        at_[{source, destination}] = source;
      }
    }
  }

  [[nodiscard]] RingMessages advance(int stage) {
    RingMessages messages;
    for (auto& [block, at] : at_) {
      const Halves halves = rule_.halves(stage, at, (block.second - at + size_) % size_);
      EXPECT_EQ(halves.first, halves.second);
      if (halves.first == 0) continue;
      const Rank to = (at + halves.first + size_) % size_;
      messages[{at, to}].insert(block);
      at = to;
    }
    return messages;
  }

 private:
  const RingRule& rule_;
  Rank size_;
  std::map<std::pair<Rank, Rank>, Rank> at_;
};

TEST(RingRule, OfARIsFigure2s) {
  for (Rank size = 2; size <= 40; size += 2) {
    const auto rule = alternating_ring(size);
    Following following(*rule, size);
    Figure2 figure(size);
    int stage = 0;
    ASSERT_EQ(following.advance(stage++), figure.stage_1()) << size;
    for (Rank k = 0; k < size / 4; ++k) {
      ASSERT_EQ(following.advance(stage++), figure.stage_2(k)) << size << ", step " << k;
    }
    for (Rank k = 0; k + 1 < (size + 3) / 4; ++k) {
      ASSERT_EQ(following.advance(stage++), figure.stage_3(k)) << size << ", step " << k;
    }
    ASSERT_EQ(stage, rule->stages());
  }
}

TEST(RingRule, OfThePipelineHalvesWhatIsHalfWayRound) {
  const auto rule = pipelined_ring(6);
  EXPECT_EQ(rule->stages(), 3);
  const auto goes = [&](Rank ahead) {
    const Halves halves = rule->halves(0, 0, ahead);
    return std::pair(halves.first, halves.second);
  };
  EXPECT_EQ(goes(0), std::pair(0, 0));
  EXPECT_EQ(goes(2), std::pair(1, 1));
  EXPECT_EQ(goes(3), std::pair(1, -1));
  EXPECT_EQ(goes(4), std::pair(-1, -1));
}

}  // namespace
}  // namespace shunt
