// The complete graph split into 1-factors: which vertices are paired, round after round.
#pragma once

#include "shunt/types.hpp"

namespace shunt {

/// A 1-factorisation of the complete graph with self-loops over `size` vertices (Sanders and Traff
/// 2002, Section 2): in each of its `size` factors every vertex is paired with one vertex, maybe
/// itself, and every pair, each vertex with itself included, is in exactly one factor. O(1) each.
class Factors {
 public:
  /// The factors as printed in Lemma 1: v = (i - u) mod p. Each factor has one self-loop where p is
  /// odd; where it is even, two or none.
  [[nodiscard]] static Factors as_printed(Rank size) { return Factors(size, false); }

  /// The factors with all self-loops in the last factor where p is even, "a small modification"
  /// that the paper leaves to its readers; as printed where p is odd.
  [[nodiscard]] static Factors with_loops_last(Rank size) { return Factors(size, size % 2 == 0); }

  [[nodiscard]] Rank size() const { return size_; }

  /// The number of factors in which some vertex is paired with another one. The factors after these
  /// have loops alone.
  [[nodiscard]] Rank pairing() const { return loops_last_ ? size_ - 1 : size_; }

  /// The vertex with which `vertex` is paired in `factor`.
  [[nodiscard]] Rank partner(Rank factor, Rank vertex) const {
    if (!loops_last_) return modulo(factor - vertex, size_);
    const Rank last = size_ - 1;
    if (factor == last) return vertex;
    // The vertices before the last form an odd graph; the one with a loop there is paired with the
    // last.
    const Rank looped = static_cast<Rank>(Bytes{factor} * (size_ / 2) % last);
    if (vertex == last) return looped;
    return vertex == looped ? last : modulo(factor - vertex, last);
  }

  /// The factor in which `u` and `v` are paired.
  [[nodiscard]] Rank factor_of(Rank u, Rank v) const {
    if (!loops_last_) return sum_modulo(u, v, size_);
    const Rank last = size_ - 1;
    if (u == v) return last;
    if (u == last) return sum_modulo(v, v, last);
    return sum_modulo(u, v == last ? u : v, last);
  }

 private:
  Factors(Rank size, bool loops_last) : size_(size), loops_last_(loops_last) {}

  [[nodiscard]] static Rank modulo(Rank value, Rank base) {
    return value < 0 ? value + base : value;
  }
  [[nodiscard]] static Rank sum_modulo(Rank a, Rank b, Rank base) {
    return static_cast<Rank>((Bytes{a} + b) % base);
  }

  Rank size_;
  bool loops_last_;
};

}  // namespace shunt
