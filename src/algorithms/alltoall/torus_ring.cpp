#include <algorithm>

#include <fmt/format.h>

#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoall/ring_along.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

class TorusRing final : public TorusExchange {
 public:
  TorusRing(std::string name, Rank ranks, RingAlong::Maker make, Bytes grain)
      : TorusExchange(std::move(name), Extents({ranks}), grain), ring_(torus(), 0, 1, make) {}

  /// A lone rank has a message to itself.
  [[nodiscard]] int stages() const override { return std::max(ring_.stages(), 1); }
  [[nodiscard]] std::string stage_name(int stage) const override {
    return fmt::format("step {}", stage + 1);
  }

 private:
  [[nodiscard]] std::vector<TorusMove> moves(int stage, Rank rank) const override {
    return ring_.moves(stage, rank, {1, 1});
  }
  void share_out(int stage, Rank at, Rank destination, Takers& takers) const override {
    ring_.share_out(stage, at, destination, takers);
  }
  [[nodiscard]] std::vector<RankBox> kept(int stage, Rank /*rank*/) const override {
    return ring_.kept(stage, {1, 1});
  }

  [[nodiscard]] Rank period() const override { return ring_.period(); }

  RingAlong ring_;
};

}  // namespace

std::unique_ptr<Algorithm> make_torus_ring(Rank ranks, Bytes grain) {
  if (ranks < 4 || ranks % 2 != 0) {
    throw Error(ErrorKind::argument,
                fmt::format("torus-ring runs on an even number of ranks from 4 on, not on {}; "
                            "torus-ring-pipeline runs on any number",
                            ranks));
  }
  return std::make_unique<TorusRing>("torus-ring", ranks, alternating_ring, grain);
}

std::unique_ptr<Algorithm> make_torus_ring_pipeline(Rank ranks, Bytes grain) {
  return std::make_unique<TorusRing>("torus-ring-pipeline", ranks, pipelined_ring, grain);
}

}  // namespace shunt
