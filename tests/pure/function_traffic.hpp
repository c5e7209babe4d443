// A traffic given by a function, for tests.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/traffic/traffic.hpp"

namespace shunt {

class FunctionTraffic : public Traffic {
 public:
  FunctionTraffic(std::string_view name, Rank ranks, std::function<Bytes(Rank, Rank)> count)
      : name_(name), ranks_(ranks), count_(std::move(count)) {}

  [[nodiscard]] Rank ranks() const override { return ranks_; }
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] Bytes count(Rank source, Rank destination) const override {
    return count_(source, destination);
  }

 private:
  std::string name_;
  Rank ranks_;
  std::function<Bytes(Rank, Rank)> count_;
};

inline FunctionTraffic uniform_traffic(Rank ranks, Bytes count = 1) {
  return {"uniform", ranks, [count](Rank, Rank) { return count; }};
}

/// All counts towards `destination`, asked for at once.
inline std::vector<Bytes> column_of(const Traffic& traffic, Rank destination) {
  std::vector<Bytes> counts(static_cast<std::size_t>(traffic.ranks()), -1);
  traffic.column(destination, counts);
  return counts;
}

/// A number in [0, below) that depends on nothing but its arguments.
inline Bytes scrambled(Rank source, Rank destination, Bytes seed, Bytes below) {
  auto mixed = static_cast<std::uint64_t>(seed) * 0x9e3779b97f4a7c15U +
               static_cast<std::uint64_t>(source) * 0xbf58476d1ce4e5b9U +
               static_cast<std::uint64_t>(destination) * 0x94d049bb133111ebU;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
  return static_cast<Bytes>((mixed ^ (mixed >> 31)) % static_cast<std::uint64_t>(below));
}

/// Traffics that make life hard: even and random ones, spikes, hot ranks, hot rows and columns of
/// the node array, and blocks that are all just below or above a multiple of the grain.
inline std::vector<FunctionTraffic> hard_traffics(Rank ranks) {
  auto root = Rank{1};
  while (root * root < ranks) ++root;
  const Rank columns = root;
  std::vector<FunctionTraffic> traffics;
  auto add = [&](std::string name, std::function<Bytes(Rank, Rank)> count) {
    traffics.emplace_back(std::move(name), ranks, std::move(count));
  };
  add("nothing", [](Rank, Rank) { return Bytes{0}; });
  add("ones", [](Rank, Rank) { return Bytes{1}; });
  add("uniform", [](Rank, Rank) { return Bytes{1000}; });
  add("random", [](Rank i, Rank j) { return scrambled(i, j, 1, 3000); });
  add("sparse",
      [](Rank i, Rank j) { return scrambled(i, j, 2, 10) == 0 ? scrambled(i, j, 3, 100000) : 0; });
  add("one pair", [=](Rank i, Rank j) { return Bytes{i == ranks - 1 && j == 0 ? 1234567 : 0}; });
  add("to oneself", [](Rank i, Rank j) { return Bytes{i == j ? 54321 : 0}; });
  add("hot receiver", [=](Rank, Rank j) { return Bytes{j == ranks / 2 ? 7777 : 1}; });
  add("hot sender", [=](Rank i, Rank) { return Bytes{i == ranks / 3 ? 7777 : 1}; });
  add("spikes in a row", [=](Rank i, Rank j) {
    return Bytes{i / columns == 0 && j % columns == columns - 1 ? 9999 : 1};
  });
  add("transpose of the array",
      [=](Rank i, Rank j) { return Bytes{j == i % columns * columns + i / columns ? 88888 : 0}; });
  add("shift", [=](Rank i, Rank j) { return Bytes{j == (i + 1) % ranks ? 65537 : 0}; });
  add("lower triangle", [](Rank i, Rank j) { return Bytes{j <= i ? 513 : 0}; });
  add("last row to incomplete columns", [=](Rank i, Rank j) {
    return Bytes{i >= (ranks - 1) / columns * columns && j % columns >= ranks % columns ? 4097 : 0};
  });
  return traffics;
}

}  // namespace shunt
