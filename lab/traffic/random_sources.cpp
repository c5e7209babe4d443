#include "lab/traffic/random_sources.hpp"

#include "model/hash.hpp"

namespace shunt {

Sources random_sources(std::uint64_t seed, Rank ranks, std::uint64_t every) {
  std::vector<Bytes> lengths;
  for (Rank rank = 0; rank < ranks; ++rank) {
    const std::uint64_t bits = hash(seed, ranks, rank);
    lengths.push_back(bits % every == 0 ? static_cast<Bytes>(mix(bits) % 1000) + 1 : 0);
  }
  return Sources(std::move(lengths));
}

std::vector<Sources> source_cases(std::uint64_t seed, Rank ranks) {
  const auto count = static_cast<std::size_t>(ranks);
  const auto one = static_cast<std::size_t>(hash(seed, ranks) % count);
  std::vector<Bytes> single(count, 0);
  single[one] = 5;
  std::vector<Sources> cases;
  cases.emplace_back(std::vector<Bytes>(count, 0));
  cases.emplace_back(std::move(single));
  cases.emplace_back(std::vector<Bytes>(count, 1));
  cases.push_back(random_sources(seed, ranks, 1));
  cases.push_back(random_sources(seed, ranks, 3));
  cases.push_back(random_sources(seed, ranks, 10));
  std::vector<Bytes> uneven = random_sources(seed + 1, ranks, 3).lengths();
  uneven[one] = 1000 * Bytes{ranks};
  cases.emplace_back(std::move(uneven));
  return cases;
}

}  // namespace shunt
