#include "engine/exposed_boxes.hpp"

#include <algorithm>
#include <cstring>

#include "shunt/error.hpp"
#include "transport/call_channel.hpp"
#include "transport/node_memory.hpp"

namespace shunt {

namespace {

/// Arrays of a message that is exposed, at most: what both ends keep is in proportion.
constexpr std::size_t kMostArrays = 8;

/// Of an array, before its strides: a token and an offset.
constexpr std::size_t kAddressWords = 2;

std::size_t dimensions_of(const LocalRedistribution& one) { return one.from_strides.size(); }

}  // namespace

void ExposedBoxes::keep(BoxSeries& boxes, const std::vector<LocalRedistribution>& redistributions) {
  if (boxes.parts().size() > kMostArrays) return;
  for (const BoxSeries::Part& part : boxes.parts()) {
    kept_.try_emplace(part.array, redistributions[part.array]);
  }
}

void ExposedBoxes::add_in(std::size_t step, Rank peer, BoxSeries& boxes,
                          const std::vector<LocalRedistribution>& redistributions) {
  keep(boxes, redistributions);
  incoming_.emplace(step, Incoming{peer, &boxes});
}

ExposedBoxes::Description ExposedBoxes::describe(BoxSeries& boxes, std::int64_t reader) const {
  if (boxes.bytes() < kLeastSingleCopy || boxes.parts().size() > kMostArrays) return {};
  Description description;
  for (const BoxSeries::Part& part : boxes.parts()) {
    const auto address = NodeMemory::address_of(arrays_.pairs[part.array].from, reader);
    if (!address) return {};
    description.push_back(static_cast<std::int64_t>(address->memory));
    description.push_back(address->offset);
    const std::vector<Bytes>& strides = kept_.at(part.array).from_strides;
    description.insert(description.end(), strides.begin(), strides.end());
  }
  const auto bytes = std::ssize(description) * static_cast<Bytes>(sizeof description.front());
  return bytes <= CallChannel::kLongestDescription ? description : Description{};
}

SingleCopies::CopyPiece ExposedBoxes::pulled(std::size_t step, const std::byte* description) {
  return [this, &message = incoming_.at(step), description](Bytes place, Bytes bytes) {
    if (place == 0) {
      read(message, description);
      message.theirs.rewind();
      message.boxes->rewind();
    }
    copy(message, bytes);
  };
}

void ExposedBoxes::read(Incoming& message, const std::byte* description) const {
  std::size_t words = 0;
  for (const BoxSeries::Part& part : message.boxes->parts()) {
    words += kAddressWords + dimensions_of(kept_.at(part.array));
  }
  Description told(words);
  std::memcpy(told.data(), description, words * sizeof told.front());
  if (told == message.description) return;
  // None, should this one not come to its end.
  message.description.clear();
  message.theirs = {};
  message.sources.clear();
  auto word = told.cbegin();
  for (const BoxSeries::Part& part : message.boxes->parts()) {
    const NodeAddress address{static_cast<std::uint64_t>(word[0]), word[1]};
    word += kAddressWords;
    const auto dimensions = dimensions_of(kept_.at(part.array));
    message.theirs.add(message.sources.size(),
                       box_of(message.peer, part.array, {word, dimensions}));
    message.sources.push_back(NodeMemory::find(address));
    if (message.sources.back() == nullptr) {
      throw Error(ErrorKind::internal, "a rank exposes memory that others of its node do not have");
    }
    word += static_cast<std::ptrdiff_t>(dimensions);
  }
  message.description = std::move(told);
}

Box ExposedBoxes::box_of(Rank peer, std::size_t array, std::span<const Bytes> strides) const {
  const auto messages = kept_.at(array).redistribution.sends(peer, strides, element_);
  return std::ranges::find(messages, rank_, &BoxMessage::peer)->box;
}

void ExposedBoxes::copy(Incoming& message, Bytes bytes) const {
  // Both have the same parts, of the same lengths.
  message.boxes->advance(
      bytes, [&](std::size_t array, BoxCursor& to, Bytes /*offset*/, Bytes length) {
        message.theirs.advance(
            length, [&](std::size_t part, BoxCursor& from, Bytes /*offset*/, Bytes some) {
              arrays_.copy_box(message.sources[part], from, array, to, some);
            });
      });
}

}  // namespace shunt
