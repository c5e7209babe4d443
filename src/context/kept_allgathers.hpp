// All-gathers that were made for a communicator, for the next calls with the same blocks.
#pragma once

#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/allgather.hpp"
#include "context/allgather_route.hpp"
#include "context/blocks.hpp"

namespace shunt {

class AllgatherRun;

class KeptAllgathers {
 public:
  /// What a route was made for. All ranks have the same names, blocks' lengths and kinds; where the
  /// blocks lie is each rank's own business.
  struct Key {
    std::string_view name;
    RouteKind kind;
    const std::vector<Bytes>& lengths;
    const std::vector<Bytes>& offsets;
  };

  /// What serves all all-gathers of a key.
  struct Kept {
    std::shared_ptr<const AllgatherRoute> route;
    /// The run of the last one-shot all-gather, for the next one of blocks that lie where those
    /// did. Null where there was none, or where it failed or had much memory of its own.
    std::shared_ptr<AllgatherRun> run;
  };

  /// What is kept for `key`, if it is among those used last; else null. Valid until the next `add`.
  [[nodiscard]] Kept* find(const Key& key);

  /// Keeps a route for `key`, for which there is none. Valid until the next `add`.
  Kept& add(const Key& key, AllgatherRoute route);

 private:
  /// A program uses few of them; one whose blocks always differ leaves these behind.
  static constexpr std::size_t kMost = 8;

  struct Entry {
    std::string name;
    RouteKind kind;
    std::vector<Bytes> lengths;
    std::vector<Bytes> offsets;
    Kept kept;
  };
  std::list<Entry> entries_;  ///< the last used first
};

}  // namespace shunt
