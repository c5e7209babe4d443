// The blocks of a traffic on one rank, filled so that a wrong byte is seen.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <mpi.h>

#include "lab/bench/checked_bytes.hpp"
#include "lab/bench/int_layout.hpp"
#include "lab/traffic/traffic.hpp"
#include "model/write_anew.hpp"
#include "shunt/shunt.hpp"

namespace shunt::bench {

class ContestBlocks {
 public:
  /// `element` is the size of an element in bytes. With `folded`, all blocks are in that memory:
  /// nothing is written there, and no byte is ever found wrong.
  ContestBlocks(MPI_Comm comm, const Traffic& traffic, int element, std::byte* folded = nullptr);

  [[nodiscard]] std::span<const std::byte> send() const { return send_; }
  [[nodiscard]] std::span<std::byte> receive() { return receive_; }
  [[nodiscard]] const Layout& send_layout() const { return send_layout_; }  ///< in bytes
  [[nodiscard]] const Layout& receive_layout() const { return receive_layout_; }
  /// In elements.
  [[nodiscard]] IntLayout send_counts() const { return in_elements(send_layout_); }
  [[nodiscard]] IntLayout receive_counts() const { return in_elements(receive_layout_); }

  /// Overwrites what was received, and writes what is sent again, as programs do before a call.
  void prepare() {
    received_.spoil();
    write_anew(sent_);
  }

  /// Received bytes that are not as they should be.
  [[nodiscard]] Bytes wrong_bytes() const { return received_.wrong(); }

 private:
  void fill(int rank);
  [[nodiscard]] IntLayout in_elements(const Layout& layout) const;

  int element_;
  Layout send_layout_;
  Layout receive_layout_;
  std::vector<std::byte> sent_;
  CheckedBytes received_;
  std::span<const std::byte> send_;
  std::span<std::byte> receive_;
};

}  // namespace shunt::bench
