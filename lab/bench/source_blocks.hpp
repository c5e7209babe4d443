// The blocks of an all-gather on one rank, filled so that a wrong byte is seen.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "lab/bench/checked_bytes.hpp"
#include "lab/bench/int_layout.hpp"
#include "model/sources.hpp"
#include "model/write_anew.hpp"
#include "shunt/shunt.hpp"

namespace shunt::bench {

class SourceBlocks {
 public:
  /// Makes the blocks of `rank`. With `folded`, all blocks are in that memory: nothing is written
  /// there, and no byte is ever found wrong.
  SourceBlocks(const Sources& sources, Rank rank, std::byte* folded = nullptr);

  [[nodiscard]] std::span<const std::byte> send() const { return send_; }
  [[nodiscard]] std::span<std::byte> receive() { return receive_; }
  [[nodiscard]] const Layout& layout() const { return layout_; }  ///< of what is received, in bytes
  [[nodiscard]] IntLayout counts() const {
    return {layout_, "a count or displacement of MPI_Allgatherv"};
  }

  /// Overwrites what was received, and writes what is sent again, as programs do before a call.
  void prepare() {
    received_.spoil();
    write_anew(sent_);
  }

  /// Received bytes that are not as they should be.
  [[nodiscard]] Bytes wrong_bytes() const { return received_.wrong(); }

 private:
  void fill(std::size_t rank);

  Layout layout_;
  std::vector<std::byte> sent_;
  CheckedBytes received_;
  std::span<const std::byte> send_;
  std::span<std::byte> receive_;
};

}  // namespace shunt::bench
