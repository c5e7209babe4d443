#include "algorithms/broadcast_proof.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "algorithms/broadcast_registry.hpp"
#include "model/generators_hash.hpp"

namespace shunt {
namespace {

const std::vector<std::string> kNothing;

/// About one source in `every` ranks, of lengths from 1 to 1000 bytes.
Sources random_sources(std::uint64_t seed, Rank ranks, std::uint64_t every) {
  std::vector<Bytes> lengths;
  for (Rank rank = 0; rank < ranks; ++rank) {
    const std::uint64_t bits = hash(seed, ranks, rank);
    lengths.push_back(bits % every == 0 ? static_cast<Bytes>(mix(bits) % 1000) + 1 : 0);
  }
  return Sources(std::move(lengths));
}

TEST(BroadcastProof, HoldsForAllAtEveryNumberOfRanks) {
  for (Rank ranks = 1; ranks <= 40; ++ranks) {
    for (const std::string& name : broadcast_names(ranks)) {
      for (const std::uint64_t every : {1, 3, 10}) {
        const Sources sources = random_sources(1, ranks, every);
        const auto broadcast = make_broadcast(name, sources);
        EXPECT_EQ(broadcast->name(), name);
        const Proof proof = prove(*broadcast);
        ASSERT_EQ(proof.violations, kNothing);
        ASSERT_EQ(proof.schedules, broadcast->stages());
      }
    }
  }
}

}  // namespace
}  // namespace shunt
