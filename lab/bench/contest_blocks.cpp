#include "lab/bench/contest_blocks.hpp"

#include <utility>

namespace shunt::bench {

namespace {

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
  std::vector<std::byte> expected(size_of(receive_layout_));
  for (std::size_t k = 0; k < send_layout_.counts.size(); ++k) {
    const auto peer = static_cast<Rank>(k);
    std::byte* out = sent_.data() + send_layout_.displacements[k];
    for (Bytes i = 0; i < send_layout_.counts[k]; ++i) out[i] = byte_of(rank, peer, i);
    std::byte* in = expected.data() + receive_layout_.displacements[k];
    for (Bytes i = 0; i < receive_layout_.counts[k]; ++i) in[i] = byte_of(peer, rank, i);
  }
  received_ = CheckedBytes(std::move(expected));
  send_ = sent_;
  receive_ = received_.span();
}

IntLayout ContestBlocks::in_elements(const Layout& layout) const {
  Layout elements = layout;
  for (std::vector<Bytes>* const values : {&elements.counts, &elements.displacements}) {
    for (Bytes& value : *values) value /= element_;
  }
  return {elements, "a count or displacement of MPI_Alltoallv"};
}

}  // namespace shunt::bench
