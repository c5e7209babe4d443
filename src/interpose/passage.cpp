#include "interpose/passage.hpp"

#include <algorithm>

#include "bindings/element_type.hpp"
#include "model/traffic_signature.hpp"

namespace shunt::interpose {

[[gnu::hot]] bool Passage::is_like_last(const c::Call& broadcast, const YardState& yard) noexcept {
  const LeftToMpi& left = yard.learned.broadcasts_left;
  const ElementType* const element = element_type_again(broadcast.receive.type);
  const c::Integers& counts = broadcast.receive.counts;
  if (left.learner == nullptr || element == nullptr || counts.is_null()) return false;
  SourceTotals totals;
  for (Rank rank = 0; rank < yard.ranks(); ++rank) {
    Bytes length = 0;
    if (!counts.bytes(index_of(rank), element->size, length) ||
        __builtin_add_overflow(totals.bytes, length, &totals.bytes)) {
      return false;
    }
    if (length > 0) ++totals.sources;
    totals.longest_length = std::max(totals.longest_length, length);
  }
  return signature_of(totals) == left.signature;
}

}  // namespace shunt::interpose
