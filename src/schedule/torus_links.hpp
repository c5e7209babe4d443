// The links of a torus: which of them each message uses, and that no two messages meet on one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/machine.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Which way round a dimension a message goes where both ways are as far.
enum class Way {
  forward,
  backward,
  both  ///< half of the message each way
};

/// A message between two ranks of a torus, along one dimension, on the shorter way.
struct LinkMessage {
  Rank from;
  Rank to;
  Way way;  ///< matters only where both ways are as far
  Bytes bytes;
};

/// What the messages that are under way at the same time do to the links. Every rank has two links
/// along each dimension, one forward and one backward, also where both lead to the same rank.
struct LinkLoads {
  std::vector<std::string> violations;  ///< sentences
  std::vector<Bytes> bytes;             ///< by rank, dimension, and forward before backward
  Bytes travelled = 0;                  ///< the bytes of all links together

  /// The bytes of the busiest link.
  [[nodiscard]] Bytes largest() const;
};

/// Lays each message on the links of its way (Liu 2005, Section 2: all ports at once, one dimension
/// at a time). Violations are messages along several dimensions, and links that two messages share.
/// Messages to oneself use no link.
[[nodiscard]] LinkLoads check_links(const Extents& torus, std::span<const LinkMessage> messages);

}  // namespace shunt
