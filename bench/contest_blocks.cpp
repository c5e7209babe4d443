#include "contest_blocks.hpp"

#include <cstring>

#include "model/narrow.hpp"

namespace shunt::bench {

namespace {

constexpr int kPoison = 0xA5;

/// A byte that depends on where it comes from, where it goes and its place.
std::byte byte_of(Rank source, Rank destination, Bytes place) {
  const auto mixed = static_cast<std::uint64_t>(source) * 0x9E3779B97F4A7C15ULL ^
                     static_cast<std::uint64_t>(destination) * 0xC2B2AE3D27D4EB4FULL ^
                     static_cast<std::uint64_t>(place) * 0x165667B19E3779F9ULL;
  return static_cast<std::byte>(mixed >> 53);
}

std::size_t size_of(const Layout& layout) {
  return static_cast<std::size_t>(layout.counts.back() + layout.displacements.back());
}

}  // namespace

ContestBlocks::ContestBlocks(MPI_Comm comm, const Traffic& traffic, int element, std::byte* folded)
    : element_(element) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  std::vector<Bytes> row(static_cast<std::size_t>(traffic.ranks()));
  std::vector<Bytes> column(row.size());
  traffic.row(rank, row);
  traffic.column(rank, column);
  for (Bytes& count : row) count *= element_;
  for (Bytes& count : column) count *= element_;
  send_layout_ = Layout::packed(row);
  receive_layout_ = Layout::packed(column);
  if (folded == nullptr) {
    fill(rank);
  } else {
    send_ = {folded, size_of(send_layout_)};
    receive_ = {folded + send_.size(), size_of(receive_layout_)};
  }
}

void ContestBlocks::fill(int rank) {
  sent_.resize(size_of(send_layout_));
  received_.resize(size_of(receive_layout_));
  expected_.resize(received_.size());
  for (std::size_t k = 0; k < send_layout_.counts.size(); ++k) {
    const auto peer = static_cast<Rank>(k);
    std::byte* out = sent_.data() + send_layout_.displacements[k];
    for (Bytes i = 0; i < send_layout_.counts[k]; ++i) out[i] = byte_of(rank, peer, i);
    std::byte* in = expected_.data() + receive_layout_.displacements[k];
    for (Bytes i = 0; i < receive_layout_.counts[k]; ++i) in[i] = byte_of(peer, rank, i);
  }
  send_ = sent_;
  receive_ = received_;
}

IntLayout ContestBlocks::in_elements(const Layout& layout) const {
  const auto ints = [this](const std::vector<Bytes>& values) {
    std::vector<int> narrowed;
    for (const Bytes value : values) {
      narrowed.push_back(narrow<int>(value / element_, "a count or displacement of MPI_Alltoallv"));
    }
    return narrowed;
  };
  return {ints(layout.counts), ints(layout.displacements)};
}

void ContestBlocks::spoil() {
  if (!received_.empty()) std::memset(received_.data(), kPoison, received_.size());
}

Bytes ContestBlocks::wrong_bytes() const {
  if (received_ == expected_) return 0;
  Bytes wrong = 0;
  for (std::size_t i = 0; i < received_.size(); ++i) {
    if (received_[i] != expected_[i]) ++wrong;
  }
  return wrong;
}

}  // namespace shunt::bench
