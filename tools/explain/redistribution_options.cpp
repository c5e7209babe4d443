#include "tools/explain/redistribution_options.hpp"

#include <optional>
#include <vector>

#include "lab/traffic/distribution_text.hpp"

namespace shunt {

Option RedistributionOptions::add_to(Command command) {
  const Option from_option = layouts.add_to(
      command,
      "Show who sends to whom when an array is dealt out\nanew: how it is now, for example");
  command
      .add_option("--by-length", by_length,
                  "Take messages of about the same length into a step:\n"
                  "\"sorted\", or \"matched\", which costs more and does more")
      .one_of({"sorted", "matched"})
      .needs(from_option);
  return from_option;
}

RedistributionView RedistributionOptions::view() const {
  std::optional<LengthRule> lengths;
  if (!by_length.empty())
    lengths = by_length == "sorted" ? LengthRule::sorted : LengthRule::matched;
  const std::vector<Index> extents = parse_shape(layouts.shape);
  return {parse_distribution(layouts.from, extents), parse_distribution(layouts.to, extents),
          layouts.column_major ? PlaceOrder::column_major : PlaceOrder::row_major, lengths};
}

}  // namespace shunt
