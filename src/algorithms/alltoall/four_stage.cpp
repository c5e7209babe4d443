#include <algorithm>

#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoall/array_exchange.hpp"

namespace shunt {

namespace {

class FourStage : public ArrayExchange {
 public:
  FourStage(Rank ranks, Bytes grain)
      : ArrayExchange("four-stage", Hierarchy::balanced(ranks, 2), Spread::evenly, grain) {}

  /// Liu 2002's flat model with the loads of the single nodes in place of L_max; P is large enough
  /// for rounding to be left out.
  [[nodiscard]] double predict(const Loads& loads, const LinkCost& cost) const override {
    const NodeArray array = hierarchy().top().array;
    const double ranks_in_all = ranks();
    const double row_steps = step_count(0);
    const double rows = array.rows();

    const auto largest_out = static_cast<double>(std::ranges::max(loads.out));
    const auto largest_in = static_cast<double>(std::ranges::max(loads.in));
    double gathered = 0;
    for (Rank node = 0; node < ranks(); ++node) {
      gathered = std::max(gathered, sent_to(array, node, loads.out));
    }
    double column_in = 0;
    for (Rank column = 0; column < array.columns(); ++column) {
      double sum = 0;
      for (Rank node = column; node < ranks(); node += array.columns()) sum += at(loads.in, node);
      column_in = std::max(column_in, sum);
    }
    const double degree = array.contacted_by(array.columns() - 1);
    const double carried = (row_steps * rows * largest_out + rows * gathered +
                            row_steps * column_in + rows * degree * largest_in) /
                           ranks_in_all;
    return start_ups() * cost.start_up + carried * (cost.per_byte + cost.copy);
  }

 private:
  static double at(const std::vector<Bytes>& values, Rank rank) {
    return static_cast<double>(values[static_cast<std::size_t>(rank)]);
  }

  /// What the nodes that hand their data to `node` in stage I have together.
  static double sent_to(const NodeArray& array, Rank node, const std::vector<Bytes>& out) {
    double sum = 0;
    const Rank first = array.node_at(array.row_of(node), 0);
    const Rank end = std::min(first + array.columns(), array.nodes());
    for (Rank sender = first; sender < end; ++sender) sum += at(out, sender);
    const Rank row = array.row_of(node);
    if (array.column_of(node) >= array.remainder() && row < array.remainder()) {
      sum += at(out, array.node_at(array.rows() - 1, row));
    }
    return sum;
  }
};

}  // namespace

std::unique_ptr<Algorithm> make_four_stage(Rank ranks, Bytes grain) {
  return std::make_unique<FourStage>(ranks, grain);
}

}  // namespace shunt
