#include "redistribution_options.hpp"

#include <optional>
#include <vector>

#include "model/distribution_text.hpp"

namespace shunt {

Option RedistributionOptions::add_to(Command command) {
  const Option from_option =
      command.add_option("--from", from,
                         "Show who sends to whom when an array that is dealt out\n"
                         "so, for example 'CYCLIC(6) onto 4', 'BLOCK onto 4',\n"
                         "'(BLOCK, CYCLIC(2)) onto 2x4' ..");
  const Option to_option = command.add_option("--to", to, ".. is to be dealt out so");
  const Option shape_option = command.add_option("--shape", shape, "Its extents, as 120000 or 8x8");
  command.add_flag("--column-major", column_major, "Number the places of a grid column by column")
      .needs(from_option);
  command
      .add_option("--by-length", by_length,
                  "Take messages of about the same length into a step:\n"
                  "\"sorted\", or \"matched\", which costs more and does more")
      .one_of({"sorted", "matched"})
      .needs(from_option);
  from_option.needs(to_option).needs(shape_option);
  to_option.needs(from_option);
  shape_option.needs(from_option);
  return from_option;
}

RedistributionView RedistributionOptions::view() const {
  std::optional<LengthRule> lengths;
  if (!by_length.empty())
    lengths = by_length == "sorted" ? LengthRule::sorted : LengthRule::matched;
  const std::vector<Index> extents = parse_shape(shape);
  return {parse_distribution(from, extents), parse_distribution(to, extents),
          column_major ? PlaceOrder::column_major : PlaceOrder::row_major, lengths};
}

}  // namespace shunt
