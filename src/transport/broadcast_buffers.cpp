#include "transport/broadcast_buffers.hpp"

#include <algorithm>

namespace shunt {

namespace {

/// A region for a broadcast buffer with pages of up to `longest` bytes, if there is room for pages
/// that are worth a round.
std::optional<Node::Placed> place_broadcast_buffer(Node& node, Bytes longest) {
  constexpr Bytes kShortestRound = 1024;
  const Bytes half = std::min(node.largest_half(0), BroadcastBuffer::region_half(longest));
  if (half < BroadcastBuffer::region_half(std::min(longest, kShortestRound))) return std::nullopt;
  return node.make_region(0, half);
}

}  // namespace

std::unique_ptr<BroadcastBuffers> BroadcastBuffers::make(Node& node,
                                                         const AllgatherOnNode& allgather_on_node,
                                                         Bytes longest) {
  // Once all are here, plans that went before have left the memory of all.
  (void)allgather_on_node(-1);
  const Bytes page = fits_header(longest) ? 0 : std::min(longest, kLongestRound);
  const std::optional<Node::Placed> own = place_broadcast_buffer(node, page);
  if (own) BroadcastBuffer(own->region).clear();
  const std::vector<Bytes> offsets = allgather_on_node(own ? own->offset : -1);
  if (std::ranges::min(offsets) >= 0) {
    return std::unique_ptr<BroadcastBuffers>(new BroadcastBuffers(node, *own, offsets));
  }
  if (own) node.retire(*own, {});
  return nullptr;
}

BroadcastBuffers::BroadcastBuffers(Node& node, const Node::Placed& own,
                                   const std::vector<Bytes>& offsets)
    : node_(node), placed_(own), seen_(offsets.size()) {
  for (std::size_t place = 0; place < offsets.size(); ++place) {
    regions_.push_back(node.region_at(place, offsets[place], 0));
    broadcast_buffers_.emplace_back(regions_.back());
    broadcast_buffers_.back().map();
  }
}

BroadcastBuffers::~BroadcastBuffers() {
  std::vector<std::size_t> others;
  for (std::size_t place = 0; place < regions_.size(); ++place) {
    if (place == node_.place()) continue;
    regions_[place].taken(node_.place()).store(kTakenForever, std::memory_order_release);
    others.push_back(place);
  }
  node_.retire(placed_, std::move(others));
}

bool BroadcastBuffers::has_room(Moment moment, Bytes length) {
  Moment last = published_[moment.turn_of(BroadcastBuffer::kHeaders)];
  if (!fits_header(length)) last = std::max(last, paged_[moment.turn_of(BroadcastBuffer::kPages)]);
  for (std::size_t place = 0; place < broadcast_buffers_.size(); ++place) {
    if (place == node_.place() || seen_[place] >= last) continue;
    seen_[place] = Moment(broadcast_buffers_[place].done().load(std::memory_order_acquire));
    if (seen_[place] < last) return false;
  }
  return true;
}

void BroadcastBuffers::publish(Moment moment, Bytes length) {
  RoundHeader& header = own().header(moment);
  header.length = length;
  header.moment.store(moment.value(), std::memory_order_release);
  if (length > 0) published_[moment.turn_of(BroadcastBuffer::kHeaders)] = moment;
  if (!fits_header(length)) paged_[moment.turn_of(BroadcastBuffer::kPages)] = moment;
}

}  // namespace shunt
