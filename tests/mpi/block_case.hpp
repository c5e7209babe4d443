// One case of an exchange of ordered blocks: buffers that show any wrong byte, and MPI's own
// answer.
#pragma once

#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "lab/traffic/traffic.hpp"
#include "shunt/shunt.hpp"

namespace shunt::test {

inline int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

inline int world_size() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// Collective: the most that any rank has.
inline Bytes most_of_all(Bytes own) {
  Bytes most = 0;
  MPI_Allreduce(&own, &most, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

/// A byte that depends on everything, so that a byte from elsewhere is seen.
inline std::byte byte_of(Rank source, Rank destination, Bytes offset) {
  auto mixed = static_cast<std::uint64_t>(source) * 0x9E3779B97F4A7C15ULL +
               static_cast<std::uint64_t>(destination) * 0xC2B2AE3D27D4EB4FULL +
               static_cast<std::uint64_t>(offset) * 0x165667B19E3779F9ULL;
  mixed ^= mixed >> 29;
  mixed *= 0xBF58476D1CE4E5B9ULL;
  return static_cast<std::byte>(mixed >> 56);
}

/// The mask of a traffic of which all is sent.
inline bool everything(Rank /*source*/, Rank /*destination*/) { return true; }

/// Blocks of `traffic` in elements of `element` bytes, with gaps between them. `mask` says which
/// blocks are sent at all.
class BlockCase {
 public:
  template <class Mask>
  BlockCase(const Traffic& traffic, std::size_t element, Mask&& mask)
      : rank_(world_rank()), ranks_(traffic.ranks()), element_(element) {
    std::vector<Bytes> row(static_cast<std::size_t>(ranks_));
    std::vector<Bytes> column(static_cast<std::size_t>(ranks_));
    traffic.row(rank_, row);
    traffic.column(rank_, column);
    for (Rank peer = 0; peer < ranks_; ++peer) {
      const auto k = static_cast<std::size_t>(peer);
      if (!mask(rank_, peer)) row[k] = 0;
      if (!mask(peer, rank_)) column[k] = 0;
    }
    send_layout = with_gaps(row);
    receive_layout = with_gaps(column);
    send.resize(length(send_layout));
    received.resize(length(receive_layout));
    refill(0);
  }

  void poison() { received.assign(received.size(), kPoison); }

  /// Other data in the same blocks.
  void refill(int round) {
    fill_send(round);
    poison();
    const auto [answer, is_new] = answers_.try_emplace(round, received);
    if (is_new) ask_mpi(answer->second);
    expected = answer->second;
  }

  /// Counts and displacements in bytes.
  [[nodiscard]] Layout send_bytes() const { return in_bytes(send_layout); }
  [[nodiscard]] Layout receive_bytes() const { return in_bytes(receive_layout); }

  [[nodiscard]] std::span<const std::byte> to_send() const { return send; }
  [[nodiscard]] std::span<std::byte> to_receive() { return received; }

  Layout send_layout;  ///< in elements
  Layout receive_layout;
  std::vector<std::byte> send;
  std::vector<std::byte> received;
  std::vector<std::byte> expected;  ///< by MPI_Alltoallv; gaps are poisoned

 private:
  static constexpr std::byte kPoison{0xA5};

  /// Gaps of 0 to 3 elements; blocks in reverse order, since nothing says they ascend.
  [[nodiscard]] static Layout with_gaps(const std::vector<Bytes>& counts) {
    Layout layout;
    layout.counts = counts;
    layout.displacements.resize(counts.size());
    Bytes end = 2;
    for (std::size_t k = counts.size(); k-- > 0;) {
      layout.displacements[k] = end;
      end += counts[k] + static_cast<Bytes>(k % 4);
    }
    return layout;
  }

  [[nodiscard]] std::size_t length(const Layout& layout) const {
    Bytes end = 0;
    for (std::size_t k = 0; k < layout.counts.size(); ++k) {
      end = std::max(end, layout.displacements[k] + layout.counts[k] + 3);
    }
    return static_cast<std::size_t>(end) * element_;
  }

  [[nodiscard]] Layout in_bytes(const Layout& layout) const {
    Layout bytes = layout;
    for (Bytes& count : bytes.counts) count *= static_cast<Bytes>(element_);
    for (Bytes& place : bytes.displacements) place *= static_cast<Bytes>(element_);
    return bytes;
  }

  void fill_send(int round) {
    const Layout bytes = send_bytes();
    std::fill(send.begin(), send.end(), std::byte{0x5A});
    for (std::size_t k = 0; k < bytes.counts.size(); ++k) {
      for (Bytes i = 0; i < bytes.counts[k]; ++i) {
        send[static_cast<std::size_t>(bytes.displacements[k] + i)] =
            byte_of(rank_ + round, static_cast<Rank>(k), i);
      }
    }
  }

  void ask_mpi(std::vector<std::byte>& answer) const {
    auto ints = [](const std::vector<Bytes>& values) {
      return std::vector<int>(values.begin(), values.end());
    };
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(static_cast<int>(element_), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Alltoallv(send.data(), ints(send_layout.counts).data(),
                  ints(send_layout.displacements).data(), type, answer.data(),
                  ints(receive_layout.counts).data(), ints(receive_layout.displacements).data(),
                  type, MPI_COMM_WORLD);
    MPI_Type_free(&type);
  }

  Rank rank_;
  Rank ranks_;
  std::size_t element_;
  std::map<int, std::vector<std::byte>> answers_;  ///< MPI's, by round: it is asked once
};

/// The name of a test on a pattern: letters and digits only.
inline std::string test_name_of(const testing::TestParamInfo<const char*>& pattern) {
  std::string name = pattern.param;
  for (char& letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return name;
}

inline constexpr Mode kModes[] = {Mode::blocking, Mode::single_buffer, Mode::dual_buffer};

}  // namespace shunt::test
