// Scheduling tables by the algorithms of Guo, Nakata, Yamashita 2000.
#pragma once

#include <optional>
#include <vector>

#include "model/ldd.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// CS: by sender and step, to whom. Nothing where the paper has no algorithm: Algorithm 1 is for
/// one dimension, blocks of which the senders' are a multiple of the others, and no fewer receivers
/// than senders; Algorithm 2, for several dimensions, as GuoGridSchedule says. Both are for long
/// arrays; whether this is one is not asked, nor whether Algorithm 2 is free of contention. Places
/// are numbered row by row.
[[nodiscard]] std::optional<std::vector<std::vector<Rank>>> guo_rows(
    const std::vector<BlockCyclic>& from, const std::vector<BlockCyclic>& to);

}  // namespace shunt
