#include "routing/landing.hpp"

#include <algorithm>

namespace shunt {

namespace {

/// All data for one destination: per rank its stream, as fragments of blocks.
class Following {
 public:
  Following(const Algorithm& algorithm, Rank destination)
      : algorithm_(algorithm), destination_(destination) {}

  void set_blocks(std::span<const Bytes> counts) {
    for (std::size_t source = 0; source < counts.size(); ++source) {
      if (counts[source] == 0) continue;
      const Rank rank = static_cast<Rank>(source);
      fragments_.push_back({rank, {rank, 0, counts[source]}});
    }
  }

  void advance(int stage) {
    moved_.clear();
    for (std::size_t begin = 0; begin < fragments_.size();) begin = route(stage, begin);
    // Senders were visited in ascending order, so a stable sort leaves each stream in order.
    sort_by_holder();
  }

  [[nodiscard]] std::vector<Arrival> arrivals() const {
    std::vector<Arrival> arrivals;
    for (const Fragment& fragment : fragments_) {
      if (arrivals.empty() || arrivals.back().from != fragment.holder) {
        arrivals.push_back({fragment.holder, 0, {}});
      }
      arrivals.back().payload += fragment.landing.length;
      arrivals.back().landings.push_back(fragment.landing);
    }
    return arrivals;
  }

 private:
  struct Fragment {
    Rank holder;
    Landing landing;
  };

  /// Sends on the stream that begins at `begin`; returns where the next one begins.
  std::size_t route(int stage, std::size_t begin) {
    const Rank holder = fragments_[begin].holder;
    std::size_t end = begin;
    Bytes length = 0;
    for (; end < fragments_.size() && fragments_[end].holder == holder; ++end) {
      length += fragments_[end].landing.length;
    }
    pieces_.clear();
    algorithm_.route(stage, holder, destination_, length, pieces_);
    std::size_t next = begin;
    Bytes taken = 0;
    for (const Piece& piece : pieces_) {
      for (Bytes left = piece.end - piece.begin; left > 0;) {
        const Landing& landing = fragments_[next].landing;
        const Bytes part = std::min(left, landing.length - taken);
        moved_.push_back({piece.to, {landing.source, landing.offset + taken, part}});
        left -= part;
        taken += part;
        if (taken == landing.length) {
          ++next;
          taken = 0;
        }
      }
    }
    return end;
  }

  void sort_by_holder() {
    next_.assign(static_cast<std::size_t>(algorithm_.ranks()) + 1, 0);
    for (const Fragment& fragment : moved_) ++next_[static_cast<std::size_t>(fragment.holder) + 1];
    for (std::size_t i = 1; i < next_.size(); ++i) next_[i] += next_[i - 1];
    fragments_.resize(moved_.size());
    for (const Fragment& fragment : moved_) {
      fragments_[next_[static_cast<std::size_t>(fragment.holder)]++] = fragment;
    }
  }

  const Algorithm& algorithm_;
  Rank destination_;
  std::vector<Fragment> fragments_;  ///< by holder, each stream in order
  std::vector<Fragment> moved_;
  std::vector<Piece> pieces_;
  std::vector<std::size_t> next_;
};

}  // namespace

std::vector<Arrival> arrivals_at(const Algorithm& algorithm, Rank destination,
                                 std::span<const Bytes> counts) {
  Following following(algorithm, destination);
  following.set_blocks(counts);
  for (int stage = 0; stage + 1 < algorithm.stages(); ++stage) following.advance(stage);
  return following.arrivals();
}

}  // namespace shunt
