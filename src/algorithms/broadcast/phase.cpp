#include "algorithms/broadcast/phase.hpp"

#include <algorithm>

namespace shunt {

namespace {

struct Timed {
  int step;
  Rank from;
  Rank to;
  double end = 0;
};

}  // namespace

Volumes Phase::volumes(int stage, const Volumes& held) const {
  Volumes volumes(held.size(), 0);
  std::vector<Rank> found;
  for (std::size_t rank = 0; rank < held.size(); ++rank) {
    found.clear();
    origins(stage, static_cast<Rank>(rank), found);
    for (const Rank origin : found) volumes[rank] += held[static_cast<std::size_t>(origin)];
  }
  return volumes;
}

double Phase::predict(const Volumes& held, const LinkCost& cost) const {
  std::vector<double> done(held.size(), 0);
  auto at = [](auto& values, Rank rank) -> auto& { return values[static_cast<std::size_t>(rank)]; };
  for (int stage = 0; stage < stages(); ++stage) {
    const Volumes passed = volumes(stage, held);
    std::vector<Timed> messages;
    for (Rank rank = 0; rank < static_cast<Rank>(held.size()); ++rank) {
      if (at(passed, rank) == 0) continue;
      for (const Step& step : steps(stage, rank)) {
        if (step.to != kNoRank) messages.push_back({step.number, rank, step.to});
      }
    }
    std::ranges::stable_sort(messages, {}, &Timed::step);
    for (auto first = messages.begin(); first != messages.end();) {
      const auto last =
          std::ranges::upper_bound(first, messages.end(), first->step, {}, &Timed::step);
      for (auto message = first; message != last; ++message) {
        message->end = std::max(at(done, message->from), at(done, message->to)) + cost.start_up +
                       static_cast<double>(at(passed, message->from)) * cost.per_byte;
      }
      for (; first != last; ++first) {
        at(done, first->from) = std::max(at(done, first->from), first->end);
        at(done, first->to) = std::max(at(done, first->to), first->end);
      }
    }
  }
  return done.empty() ? 0 : *std::ranges::max_element(done);
}

}  // namespace shunt
