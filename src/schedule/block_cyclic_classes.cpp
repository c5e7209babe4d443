#include "schedule/block_cyclic_classes.hpp"

#include <numeric>

namespace shunt {

namespace {

Index period_of(const Dealing& from, const Dealing& to) {
  return std::gcd(block_stride(from.places, from.block), block_stride(to.places, to.block));
}

BlockCyclicClasses::Side side(const Dealing& dealing, Index period) {
  const Index alike = std::gcd(dealing.block, period);
  const Index turn = period / alike;
  return {dealing.places, dealing.block, alike, 0, turn, dealing.places / turn};
}

/// All places are companions, in one class.
BlockCyclicClasses::Side one_class(const Dealing& dealing) {
  return {dealing.places, dealing.block, 1, 1, 1, dealing.places};
}

Index ceiling(Index a, Index b) { return (a + b - 1) / b; }

}  // namespace

BlockCyclicClasses::BlockCyclicClasses(const Dealing& from, const Dealing& to, Index shift)
    : from_(side(from, period_of(from, to))),
      to_(side(to, period_of(from, to))),
      shift_(shift),
      period_(from_.alike * from_.turn),
      everybody_(from.block + to.block - 1 >= period_),
      apart_(std::gcd(from_.alike, to_.alike)),
      least_(1 - to.block + modulo(shift + to.block - 1, apart_)),
      classes_((from.block - 1 - least_) / apart_ + 1) {
  from_.classes = from_.alike / apart_;
  to_.classes = to_.alike / apart_;
  if (everybody_) {
    from_ = one_class(from);
    to_ = one_class(to);
    classes_ = 1;
  }
  copies_ = std::gcd(from_.companions, to_.companions);
}

Rank BlockCyclicClasses::most_sends() const {
  return static_cast<Rank>(to_.companions * ceiling(classes_, to_.classes));
}

Rank BlockCyclicClasses::most_receives() const {
  return static_cast<Rank>(from_.companions * ceiling(classes_, from_.classes));
}

Index BlockCyclicClasses::meetings() const {
  // Of each class there is one sender among as many as have the same number of companions.
  return classes_ * from_.companions * to_.companions * (from_.turn / to_.classes);
}

bool BlockCyclicClasses::meet(Rank sender, Rank receiver) const {
  const Index apart = receiver * to_.block - sender * from_.block + shift_;
  return modulo(apart + to_.block - 1, period_) < from_.block + to_.block - 1;
}

Quotient BlockCyclicClasses::quotient() const {
  const Index xs = from_.companions / copies_;
  const Index ys = to_.companions / copies_;
  Quotient quotient{static_cast<Rank>(to_.classes * xs),
                    static_cast<Rank>(from_.classes * ys),
                    {},
                    static_cast<Rank>(copies_)};
  for (Index q = 0; q < classes_; ++q) {
    for (Index x = 0; x < xs; ++x) {
      for (Index y = 0; y < ys; ++y) {
        quotient.edges.push_back({static_cast<Rank>(q % to_.classes * xs + x),
                                  static_cast<Rank>(q % from_.classes * ys + y)});
      }
    }
  }
  return quotient;
}

QuotientEdge BlockCyclicClasses::quotient_edge(Index q, Index x, Index y) const {
  const Index xs = from_.companions / copies_;
  const Index ys = to_.companions / copies_;
  return {(q * xs + x / copies_) * ys + y / copies_, static_cast<Rank>((x + y) % copies_)};
}

}  // namespace shunt
