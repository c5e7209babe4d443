// The traffic of pairs of ranks, on one node or between nodes.
#pragma once

#include <string>

#include "lab/traffic/traffic.hpp"
#include "model/machine.hpp"

namespace shunt {

/// Each rank sends a block to one other and gets one back: the same place in the next node, or the
/// next rank of the only one. Of the first node or pair alone, or of all.
class PairTraffic final : public Traffic {
 public:
  PairTraffic(const Machine& machine, Bytes bytes, bool all)
      : machine_(machine), bytes_(bytes), all_(all) {}

  [[nodiscard]] Rank ranks() const override { return machine_.ranks(); }
  [[nodiscard]] std::string name() const override { return all_ ? "all pairs" : "one pair"; }
  [[nodiscard]] Bytes count(Rank source, Rank destination) const override {
    return destination == partner(source) ? bytes_ : 0;
  }

 private:
  [[nodiscard]] Rank partner(Rank rank) const {
    const Rank node = machine_.node_of(rank);
    const Rank place = machine_.place_in_node(rank);
    if (machine_.nodes() == 1) return all_ || rank < 2 ? other_of(rank, ranks()) : kNoRank;
    const Rank other = other_of(node, machine_.nodes());
    if (other == kNoRank || place >= machine_.size_of(other)) return kNoRank;
    if (!all_ && (node > 1 || place > 0)) return kNoRank;
    return machine_.ranks_of(other)[static_cast<std::size_t>(place)];
  }
  static Rank other_of(Rank number, Rank count) {
    const Rank other = number % 2 == 0 ? number + 1 : number - 1;
    return other < count ? other : kNoRank;
  }

  const Machine& machine_;
  Bytes bytes_;
  bool all_;
};

}  // namespace shunt
