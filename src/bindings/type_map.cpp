#include "bindings/type_map.hpp"

#include <algorithm>
#include <utility>

#include "bindings/checked.hpp"

namespace shunt {

namespace {

/// So many runs are listed, whatever they were made of: a list is gone through the fastest.
constexpr std::size_t kListedRuns = 4096;

constexpr const char* kTypeSize = "the bytes of a datatype";
constexpr const char* kTypeOffset = "an offset in a datatype";

/// Whether the elements of the part lie one behind the other in one run.
bool is_dense(const TypePart& part) {
  return part.of->is_one_run() && (part.count == 1 || part.of->front_run().length == part.stride);
}

/// Whether all parts together have at most `most` runs.
bool have_few_runs(const std::vector<TypePart>& parts, std::size_t most) {
  std::size_t runs = 0;
  for (const TypePart& part : parts) {
    const std::size_t each = part.of->runs().size();
    if (each == 0) return false;
    const std::size_t left = most - runs;
    const std::size_t count = is_dense(part) ? 1 : static_cast<std::size_t>(part.count);
    if (count > left / each) return false;
    runs += count * each;
  }
  return true;
}

std::vector<Run> listed(const std::vector<TypePart>& parts) {
  std::vector<Run> runs;
  for (const TypePart& part : parts) {
    if (is_dense(part)) {
      const Run& run = part.of->front_run();
      append_run(runs, {part.offset + run.offset, part.count * run.length});
      continue;
    }
    for (Bytes i = 0; i < part.count; ++i) {
      for (const Run& run : part.of->runs()) {
        append_run(runs, {part.offset + i * part.stride + run.offset, run.length});
      }
    }
  }
  return runs;
}

/// Where the data of a part lie.
std::pair<Bytes, Bytes> bounds(const TypePart& part) {
  const Bytes last = times(part.count - 1, part.stride, kTypeOffset);
  return {
      plus(plus(part.offset, std::min(last, Bytes{0}), kTypeOffset), part.of->first(), kTypeOffset),
      plus(plus(part.offset, std::max(last, Bytes{0}), kTypeOffset), part.of->end(), kTypeOffset)};
}

}  // namespace

TypeMap::TypeMap(const std::vector<Run>& runs) {
  for (const Run& run : runs) append_run(runs_, run);
  first_ = runs_.front().offset;
  end_ = first_;
  run_length_ = runs_.front().length;
  for (const Run& run : runs_) {
    packed_at_.push_back(size_);
    size_ += run.length;
    first_ = std::min(first_, run.offset);
    end_ = std::max(end_, run.offset + run.length);
    if (run.length != run_length_) run_length_ = 0;
  }
}

TypeMap::TypeMap(std::vector<TypePart> parts) : parts_(std::move(parts)) {
  std::tie(first_, end_) = bounds(parts_.front());
  for (const TypePart& part : parts_) {
    packed_at_.push_back(size_);
    size_ += part.count * part.of->size();
    const auto [from, to] = bounds(part);
    first_ = std::min(first_, from);
    end_ = std::max(end_, to);
  }
}

TypeMapPointer TypeMap::join(std::vector<TypePart> parts) {
  std::erase_if(parts,
                [](const TypePart& part) { return part.count == 0 || part.of->size() == 0; });
  if (parts.empty()) return std::make_shared<const TypeMap>();
  Bytes size = 0;
  for (const TypePart& part : parts) {
    size = plus(size, times(part.count, part.of->size(), kTypeSize), kTypeSize);
    (void)bounds(part);
  }
  if (have_few_runs(parts, std::max(kListedRuns, parts.size()))) {
    return std::make_shared<const TypeMap>(listed(parts));
  }
  if (parts.size() == 1 && parts[0].count == 1 && parts[0].offset == 0) return parts[0].of;
  return TypeMapPointer(new TypeMap(std::move(parts)));
}

Bytes TypeMap::front() const {
  const TypeMap* map = this;
  Bytes offset = 0;
  while (map->runs_.empty()) {
    offset += map->parts_.front().offset;
    map = map->parts_.front().of.get();
  }
  return offset + map->runs_.front().offset;
}

}  // namespace shunt
