// A traffic that is kept: the non-empty blocks of every row.
#pragma once

#include <string>
#include <vector>

#include "lab/traffic/traffic.hpp"

namespace shunt {

class SparseTraffic final : public Traffic {
 public:
  /// One row for each rank. The name is what `make_traffic` would read it from.
  SparseTraffic(std::string name, std::vector<SparseRow> rows);

  [[nodiscard]] Rank ranks() const override { return static_cast<Rank>(rows_.size()); }
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] Bytes count(Rank source, Rank destination) const override;
  void row(Rank source, std::span<Bytes> counts) const override;
  [[nodiscard]] SparseRow sparse_row(Rank source) const override {
    return rows_[static_cast<std::size_t>(source)];
  }

 private:
  std::string name_;
  std::vector<SparseRow> rows_;
};

/// All rows of any traffic, without their empty blocks.
[[nodiscard]] std::vector<SparseRow> sparse_rows(const Traffic& traffic);

}  // namespace shunt
