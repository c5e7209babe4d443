#include "algorithms/broadcast/phased.hpp"

#include <algorithm>

#include "schedule/proportional_cut.hpp"

namespace shunt {

PhasedBroadcast::PhasedBroadcast(std::string name, Sources sources, Phases phases, Rank dealt)
    : Broadcast(std::move(sources)),
      name_(std::move(name)),
      phases_(std::move(phases)),
      dealt_(dealt) {
  for (std::size_t phase = 0; phase < phases_.size(); ++phase) {
    for (int stage = 0; stage < phases_[phase]->stages(); ++stage)
      places_.push_back({phase, stage});
  }
}

std::string PhasedBroadcast::stage_name(int stage) const {
  return phases_[place(stage).phase]->stage_name(place(stage).stage);
}

int PhasedBroadcast::step_count(int stage) const {
  return phases_[place(stage).phase]->step_count(place(stage).stage);
}

std::vector<Step> PhasedBroadcast::steps(int stage, Rank rank) const {
  std::vector<Step> steps = phases_[place(stage).phase]->steps(place(stage).stage, rank);
  for (Step& step : steps) {
    if (step.to != kNoRank && !carries(stage, rank, step.to)) step.to = kNoRank;
    if (step.from != kNoRank && !carries(stage, step.from, rank)) step.from = kNoRank;
  }
  std::erase_if(steps, [](const Step& step) { return step.to == kNoRank && step.from == kNoRank; });
  return steps;
}

void PhasedBroadcast::shares(int stage, Rank from, Rank to, std::vector<Share>& shares) const {
  std::vector<Share> found;
  collect(place(stage), from, to, phases_[place(stage).phase]->deals_parts(), found);
  std::ranges::sort(found);
  const auto first = static_cast<std::ptrdiff_t>(shares.size());
  for (const Share& share : found) {
    const bool joins = std::ssize(shares) > first && shares.back().source == share.source &&
                       shares.back().end == share.begin;
    if (joins) {
      shares.back().end = share.end;
    } else {
      shares.push_back(share);
    }
  }
}

bool PhasedBroadcast::carries(int stage, Rank from, Rank to) const {
  std::vector<Share> found;
  collect(place(stage), from, to, phases_[place(stage).phase]->deals_parts(), found);
  return !found.empty();
}

Share PhasedBroadcast::part_for(Rank rank) const {
  const ProportionalCut cut(sources().length(dealt_), ranks(), 0, 1);
  return {dealt_, cut.end_of(rank), cut.end_of(rank + 1)};
}

void PhasedBroadcast::collect(Place place, Rank rank, Rank receiver, bool only_parts,
                              std::vector<Share>& shares) const {
  std::vector<Rank> origins;
  phases_[place.phase]->origins(place.stage, rank, origins);
  for (const Rank origin : origins) {
    if (place.phase > 0) {
      const std::size_t before = place.phase - 1;
      collect({before, phases_[before]->stages()}, origin, receiver, only_parts, shares);
      continue;
    }
    const bool whole = !only_parts && origin != dealt_ && origin != receiver;
    if (whole && sources().is_source(origin)) {
      shares.push_back({origin, 0, sources().length(origin)});
    }
    if (dealt_ != kNoRank && dealt_ != receiver) {
      const Share part = part_for(origin);
      const bool is_there = !only_parts && phases_.front()->comes_by(origin, receiver);
      if (part.end > part.begin && !is_there) shares.push_back(part);
    }
  }
}

double PhasedBroadcast::predict(const LinkCost& cost) const {
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
