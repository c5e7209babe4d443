// What a dynamic broadcast brings: the data of each source.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "shunt/records.hpp"
#include "shunt/types.hpp"

namespace shunt {

template <class T>
struct FromSource {
  Rank source;
  std::span<const T> data;  ///< never empty
};

/// Owns the data of all sources; a range of FromSource, sources ascending.
template <class T>
class FromSources {
 public:
  /// `bytes` has `lengths[k]` bytes of rank k, one rank after the other.
  FromSources(RawBuffer bytes, const std::vector<Bytes>& lengths) : elements_(std::move(bytes)) {
    std::size_t begin = 0;
    for (std::size_t rank = 0; rank < lengths.size(); ++rank) {
      const std::size_t count = static_cast<std::size_t>(lengths[rank]) / sizeof(T);
      if (count == 0) continue;
      blocks_.push_back({static_cast<Rank>(rank), {elements_.data() + begin, count}});
      begin += count;
    }
  }

  [[nodiscard]] std::size_t size() const { return blocks_.size(); }
  [[nodiscard]] bool empty() const { return blocks_.empty(); }
  [[nodiscard]] auto begin() const { return blocks_.begin(); }
  [[nodiscard]] auto end() const { return blocks_.end(); }
  [[nodiscard]] const FromSource<T>& operator[](std::size_t k) const { return blocks_[k]; }

  /// The data of all sources, one after the other.
  [[nodiscard]] std::span<const T> all() const { return {elements_.data(), elements_.size()}; }

 private:
  Buffer<T> elements_;
  std::vector<FromSource<T>> blocks_;
};

}  // namespace shunt
