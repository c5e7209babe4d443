#include "algorithms/allgather/phased.hpp"

#include <utility>

#include "schedule/proportional_cut.hpp"

namespace shunt {

PhasedAllgather::PhasedAllgather(std::string name, Sources sources, Phases phases, Rank dealt,
                                 std::shared_ptr<const Machine> spared)
    : Allgather(std::move(sources)),
      name_(std::move(name)),
      phases_(std::move(phases)),
      dealt_(dealt),
      spared_(std::move(spared)) {
  for (std::size_t phase = 0; phase < phases_.size(); ++phase) {
    for (int stage = 0; stage < phases_[phase]->stages(); ++stage)
      places_.push_back({phase, stage});
  }
}

std::string PhasedAllgather::stage_name(int stage) const {
  return phases_[place(stage).phase]->stage_name(place(stage).stage);
}

int PhasedAllgather::step_count(int stage) const {
  return phases_[place(stage).phase]->step_count(place(stage).stage);
}

std::vector<Step> PhasedAllgather::steps(int stage, Rank rank) const {
  std::vector<Step> steps = phases_[place(stage).phase]->steps(place(stage).stage, rank);
  for (Step& step : steps) {
    if (step.to != kNoRank && !supports_pair(stage, rank, step.to)) step.to = kNoRank;
    if (step.from != kNoRank && !supports_pair(stage, step.from, rank)) step.from = kNoRank;
  }
  std::erase_if(steps, [](const Step& step) { return step.to == kNoRank && step.from == kNoRank; });
  return steps;
}

template <class Use>
bool PhasedAllgather::for_each_share(Place place, Rank rank, Rank receiver, bool only_parts,
                                     std::vector<Rank>& pending, const Use& use) const {
  const std::size_t begin = pending.size();
  phases_[place.phase]->origins(place.stage, rank, pending);
  const std::size_t end = pending.size();
  bool goes_on = true;
  for (std::size_t i = begin; goes_on && i < end; ++i) {
    const Rank origin = pending[i];
    if (place.phase == 0) {
      goes_on = use_own(origin, receiver, only_parts, use);
      continue;
    }
    const std::size_t before = place.phase - 1;
    goes_on = for_each_share({before, phases_[before]->stages()}, origin, receiver, only_parts,
                             pending, use);
  }
  pending.resize(begin);
  return goes_on;
}

template <class Use>
bool PhasedAllgather::use_own(Rank origin, Rank receiver, bool only_parts, const Use& use) const {
  const bool whole = !only_parts && origin != dealt_ && origin != receiver;
  if (whole && sources().is_source(origin) && !use({origin, 0, sources().length(origin)})) {
    return false;
  }
  if (dealt_ == kNoRank || dealt_ == receiver) return true;
  const Share part = part_for(origin);
  const bool is_there = !only_parts && phases_.front()->comes_by(origin, receiver);
  return part.end <= part.begin || is_there || use(part);
}

void PhasedAllgather::shares(int stage, Rank from, Rank to, std::vector<Share>& shares) const {
  std::vector<Share> found;
  std::vector<Rank> pending;
  for_each_share(place(stage), from, to, phases_[place(stage).phase]->deals_parts(), pending,
                 [&](const Share& share) {
                   found.push_back(share);
                   return true;
                 });
  append_joined(std::move(found), shares);
}

bool PhasedAllgather::supports_pair(int stage, Rank from, Rank to) const {
  std::vector<Rank> pending;
  const bool only_parts = phases_[place(stage).phase]->deals_parts();
  return !for_each_share(place(stage), from, to, only_parts, pending,
                         [](const Share&) { return false; });
}

Share PhasedAllgather::part_for(Rank rank) const {
  const ProportionalCut cut(sources().length(dealt_), ranks(), 0, 1);
  return {dealt_, cut.end_of(rank), cut.end_of(rank + 1)};
}

double PhasedAllgather::predict(const LinkCost& cost) const {
  Volumes held = sources().lengths();
  Volumes parts(held.size(), 0);
  if (dealt_ != kNoRank) {
    held[static_cast<std::size_t>(dealt_)] = 0;
    for (Rank rank = 0; rank < ranks(); ++rank) {
      const Share part = part_for(rank);
      parts[static_cast<std::size_t>(rank)] = part.end - part.begin;
      held[static_cast<std::size_t>(rank)] += part.end - part.begin;
    }
  }
  double seconds = 0;
  for (const auto& phase : phases_) {
    seconds += phase->predict(phase->deals_parts() ? parts : held, cost);
  }
  return seconds;
}

}  // namespace shunt
