// One all-gather of many sources: buffers that show any wrong byte, and MPI's own answer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <mpi.h>

#include "model/sources.hpp"
#include "mpi/block_case.hpp"

namespace shunt::test {

/// Who has how many elements for all.
struct SourceCase {
  std::string name;
  std::vector<Bytes> counts;
};

/// No source, one, a third of the ranks, and all; equal and uneven, short and long. `longest` is in
/// elements.
inline std::vector<SourceCase> source_cases(Rank ranks, Bytes longest) {
  auto counts = [ranks](auto&& count) {
    std::vector<Bytes> result;
    for (Rank rank = 0; rank < ranks; ++rank) result.push_back(count(rank));
    return result;
  };
  return {
      {"none", counts([](Rank) { return 0; })},
      {"one", counts([&](Rank rank) { return rank == ranks / 2 ? longest : 0; })},
      {"a third", counts([&](Rank rank) { return rank % 3 == 1 ? 5 : 0; })},
      {"all equal", counts([](Rank) { return 3; })},
      {"all long", counts([&](Rank) { return longest / 3; })},
      {"uneven", counts([&](Rank rank) { return rank % 4 == 0 ? 0 : 1 + rank * rank % 7; })},
      {"one is huge", counts([&](Rank rank) { return rank == ranks - 1 ? longest : rank % 2; })}};
}

/// Blocks of elements of `element` bytes, in reverse order with gaps between them.
class GatherCase {
 public:
  GatherCase(const std::vector<Bytes>& counts, std::size_t element, bool packed = false)
      : element_(static_cast<Bytes>(element)) {
    layout = Layout::packed(counts);
    if (!packed) {
      Bytes end = 2;
      for (std::size_t k = counts.size(); k-- > 0;) {
        layout.displacements[k] = end;
        end += counts[k] + static_cast<Bytes>(k % 3);
      }
    }
    for (Bytes& count : layout.counts) count *= element_;
    for (Bytes& place : layout.displacements) place *= element_;
    Bytes end = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      end = std::max(end, layout.displacements[k] + layout.counts[k]);
    }
    const auto own = static_cast<std::size_t>(world_rank());
    send.resize(static_cast<std::size_t>(layout.counts[own]));
    received.resize(static_cast<std::size_t>(end) + 3);
    refill(0);
  }

  /// Other data in the same blocks.
  void refill(int round) {
    for (std::size_t i = 0; i < send.size(); ++i) {
      send[i] = byte_of(world_rank(), round, static_cast<Bytes>(i));
    }
    poison();
    const auto [answer, is_new] = answers_.try_emplace(round, received);
    if (is_new) ask_mpi(answer->second);
    expected = answer->second;
  }
  void poison() { received.assign(received.size(), std::byte{0xA5}); }

  /// Puts the own block where it belongs; returns it there.
  std::span<const std::byte> put_own() {
    const auto own = static_cast<std::size_t>(world_rank());
    auto* const place = received.data() + layout.displacements[own];
    std::ranges::copy(send, place);
    return {place, send.size()};
  }

  [[nodiscard]] std::span<const std::byte> to_send() const { return send; }
  [[nodiscard]] std::span<std::byte> to_receive() { return received; }
  [[nodiscard]] Sources sources() const { return Sources(layout.counts); }

  Layout layout;  ///< of what is received, in bytes
  std::vector<std::byte> send;
  std::vector<std::byte> received;
  std::vector<std::byte> expected;  ///< by MPI_Allgatherv but on one rank; gaps are poisoned

 private:
  void ask_mpi(std::vector<std::byte>& answer) const {
    if (world_size() == 1) {
      // MPICH 4.0 takes no notice of the displacement there.
      std::ranges::copy(send, answer.begin() + layout.displacements[0]);
      return;
    }
    const std::vector<int> counts(layout.counts.begin(), layout.counts.end());
    const std::vector<int> places(layout.displacements.begin(), layout.displacements.end());
    MPI_Allgatherv(send.data(), static_cast<int>(send.size()), MPI_BYTE, answer.data(),
                   counts.data(), places.data(), MPI_BYTE, MPI_COMM_WORLD);
  }

  Bytes element_;
  std::map<int, std::vector<std::byte>> answers_;  ///< MPI's, by round: it is asked once
};

}  // namespace shunt::test
