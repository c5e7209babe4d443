// Exchanges whose bytes tell where and when they come from.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "mpi/block_case.hpp"

namespace shunt::test {

/// Blocks of uneven length, some of them empty, whose bytes tell where and when they come from; so
/// no rank has to ask another what to expect.
class Stream {
 public:
  Stream(Communicator& communicator, Bytes longest, const Options& options, bool one_way = false)
      : rank_(communicator.rank()),
        one_way_(one_way),
        send_layout_(Layout::packed(lengths(longest, true))),
        receive_layout_(Layout::packed(lengths(longest, false))),
        send_(total(send_layout_)),
        received_(total(receive_layout_)),
        communicator_(communicator),
        options_(options),
        plan_(communicator.plan_alltoallv(std::span<const std::byte>(send_), send_layout_,
                                          std::span<std::byte>(received_), receive_layout_,
                                          options)) {}

  /// By the plan.
  void execute(int round) {
    run(round, [this] { plan_.execute(); });
  }

  /// Without a plan.
  void exchange(int round) {
    run(round, [this] {
      communicator_.alltoallv(std::span<const std::byte>(send_), send_layout_,
                              std::span<std::byte>(received_), receive_layout_, options_);
    });
  }

  /// Bytes of messages of other ranks, of those that are at least so long.
  [[nodiscard]] Bytes received_from_others(Bytes least) const {
    Bytes bytes = 0;
    for (Rank peer = 0; peer < world_size(); ++peer) {
      const Bytes count = receive_layout_.counts[static_cast<std::size_t>(peer)];
      if (peer != rank_ && count >= least) bytes += count;
    }
    return bytes;
  }

  [[nodiscard]] Bytes peak_shared() const { return plan_.counters().peak_shared; }

 private:
  template <class Move>
  void run(int round, Move&& move) {
    fill(send_layout_, send_, [&](Rank peer, Bytes i) { return byte_of(rank_ + round, peer, i); });
    std::ranges::fill(received_, std::byte{0xA5});
    move();
    std::vector<std::byte> expected(received_.size());
    fill(receive_layout_, expected,
         [&](Rank peer, Bytes i) { return byte_of(peer + round, rank_, i); });
    ASSERT_EQ(received_, expected) << "round " << round;
  }

  [[nodiscard]] std::vector<Bytes> lengths(Bytes longest, bool sent) const {
    std::vector<Bytes> lengths;
    for (Rank peer = 0; peer < world_size(); ++peer) {
      const Rank from = sent ? rank_ : peer;
      const Rank to = sent ? peer : rank_;
      const bool none = (from * 7 + to * 13) % 5 == 0 || (one_way_ && from > to);
      lengths.push_back(none ? 0 : (from * 31 + to * 17) * 99991 % longest);
    }
    return lengths;
  }

  static std::size_t total(const Layout& layout) {
    return static_cast<std::size_t>(layout.displacements.back() + layout.counts.back());
  }

  template <class ByteAt>
  static void fill(const Layout& layout, std::vector<std::byte>& bytes, ByteAt&& byte_at) {
    for (std::size_t k = 0; k < layout.counts.size(); ++k) {
      for (Bytes i = 0; i < layout.counts[k]; ++i) {
        bytes[static_cast<std::size_t>(layout.displacements[k] + i)] =
            byte_at(static_cast<Rank>(k), i);
      }
    }
  }

  Rank rank_;
  bool one_way_;  ///< from lower ranks to higher ones only
  Layout send_layout_;
  Layout receive_layout_;
  std::vector<std::byte> send_;
  std::vector<std::byte> received_;
  Communicator communicator_;
  Options options_;
  Plan plan_;
};

}  // namespace shunt::test
