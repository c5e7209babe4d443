// Broadcasts that were made for a communicator, for the next calls with the same blocks.
#pragma once

#include <compare>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/broadcast.hpp"
#include "exchange/blocks.hpp"
#include "exchange/broadcast_route.hpp"

namespace shunt {

/// Sources among which the same broadcast is about as good.
struct SourcesClass {
  explicit SourcesClass(const Sources& sources);

  Rank count;
  int total_bits;    ///< of all bytes
  int longest_bits;  ///< of the bytes of the longest block

  friend auto operator<=>(const SourcesClass&, const SourcesClass&) = default;
};

class KeptBroadcasts {
 public:
  /// What a route was made for. All ranks have the same names, blocks' lengths and modes; where the
  /// blocks lie is each rank's own business.
  struct Key {
    std::string name;
    bool blocking;
    std::vector<Bytes> lengths;
    std::vector<Bytes> offsets;

    friend bool operator==(const Key&, const Key&) = default;
  };

  /// The route for `key`, by `make` unless it was among those used last.
  std::shared_ptr<const BroadcastRoute> route(const Key& key,
                                              const std::function<BroadcastRoute()>& make);

  /// The name chosen for such sources, by `choose` the first time. All ranks ask in the same order.
  const std::string& name(const Sources& sources, const std::function<std::string()>& choose);

 private:
  /// A program uses few of them; one whose blocks always differ leaves these behind.
  static constexpr std::size_t kMost = 8;

  struct Kept {
    Key key;
    std::shared_ptr<const BroadcastRoute> route;
  };
  std::list<Kept> routes_;  ///< the last used first
  std::map<SourcesClass, std::string> names_;
};

}  // namespace shunt
