#include "transport/boards.hpp"

#include <algorithm>

namespace shunt {

namespace {

/// A region for a board with pages of up to `longest` bytes, if there is room for pages that are
/// worth a round.
std::optional<Node::Placed> place_board(Node& node, Bytes longest) {
  constexpr Bytes kShortestRound = 1024;
  const Bytes half = std::min(node.largest_half(0), Board::region_half(longest));
  if (half < Board::region_half(std::min(longest, kShortestRound))) return std::nullopt;
  return node.make_region(0, half);
}

}  // namespace

std::unique_ptr<Boards> Boards::make(Node& node, const Announce& announce, Bytes longest) {
  // Once all are here, plans that went before have left the memory of all.
  (void)announce(-1);
  const Bytes page = fits_notice(longest) ? 0 : std::min(longest, kLongestRound);
  const std::optional<Node::Placed> own = place_board(node, page);
  if (own) Board(own->region).clear();
  const std::vector<Bytes> offsets = announce(own ? own->offset : -1);
  if (std::ranges::min(offsets) >= 0) {
    return std::unique_ptr<Boards>(new Boards(node, *own, offsets));
  }
  if (own) node.retire(*own, 0, {});
  return nullptr;
}

Boards::Boards(Node& node, const Node::Placed& own, const std::vector<Bytes>& offsets)
    : node_(node), placed_(own), seen_(offsets.size()) {
  for (std::size_t place = 0; place < offsets.size(); ++place) {
    regions_.push_back(node.region_at(place, offsets[place], 0));
    boards_.emplace_back(regions_.back());
    boards_.back().map();
  }
}

Boards::~Boards() {
  std::vector<std::size_t> others;
  for (std::size_t place = 0; place < regions_.size(); ++place) {
    if (place == node_.place()) continue;
    regions_[place].taken(node_.place()).store(kTakenForever, std::memory_order_release);
    others.push_back(place);
  }
  node_.retire(placed_, 0, std::move(others));
}

bool Boards::has_room(Moment moment, Bytes length) {
  Moment last = shown_[moment.turn_of(Board::kNotices)];
  if (!fits_notice(length)) last = std::max(last, paged_[moment.turn_of(Board::kPages)]);
  for (std::size_t place = 0; place < boards_.size(); ++place) {
    if (place == node_.place() || seen_[place] >= last) continue;
    seen_[place] = Moment(boards_[place].done().load(std::memory_order_acquire));
    if (seen_[place] < last) return false;
  }
  return true;
}

void Boards::show(Moment moment, Bytes length) {
  Notice& notice = own().notice(moment);
  notice.length = length;
  notice.moment.store(moment.value(), std::memory_order_release);
  if (length > 0) shown_[moment.turn_of(Board::kNotices)] = moment;
  if (!fits_notice(length)) paged_[moment.turn_of(Board::kPages)] = moment;
}

}  // namespace shunt
