// What Communicator::allgather_from returns: the data of each source.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "shunt/records.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// The data of one source. Valid as long as the FromSources that it comes from.
template <class T>
struct FromSource {
  Rank source;              ///< the rank that has sent the data
  std::span<const T> data;  ///< never empty
};

/// Owns the data of all sources, in one piece of memory. A range of FromSource, sources ascending;
/// ranks without data are left out.
template <class T>
class FromSources {
 public:
  /// Takes over `bytes`, which holds `lengths[k]` bytes of rank k, one rank after the other.
  FromSources(RawBuffer bytes, const std::vector<Bytes>& lengths) : elements_(std::move(bytes)) {
    std::size_t begin = 0;
    for (std::size_t rank = 0; rank < lengths.size(); ++rank) {
      const std::size_t count = static_cast<std::size_t>(lengths[rank]) / sizeof(T);
      if (count == 0) continue;
      blocks_.push_back({static_cast<Rank>(rank), {elements_.data() + begin, count}});
      begin += count;
    }
  }

  /// Returns the number of sources.
  [[nodiscard]] std::size_t size() const { return blocks_.size(); }
  /// Returns whether no rank has sent anything.
  [[nodiscard]] bool empty() const { return blocks_.empty(); }
  /// Returns an iterator to the first source.
  [[nodiscard]] auto begin() const { return blocks_.begin(); }
  /// Returns the iterator behind the last source.
  [[nodiscard]] auto end() const { return blocks_.end(); }
  /// Returns the k-th source, k below size(): not the source that is rank k.
  [[nodiscard]] const FromSource<T>& operator[](std::size_t k) const { return blocks_[k]; }

  /// Returns the data of all sources, one after the other.
  [[nodiscard]] std::span<const T> all() const { return {elements_.data(), elements_.size()}; }

 private:
  Buffer<T> elements_;
  std::vector<FromSource<T>> blocks_;
};

}  // namespace shunt
