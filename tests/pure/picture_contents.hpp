// What tests find in pictures.
#pragma once

#include <charconv>
#include <string>

#include "schedule/step.hpp"
#include "shunt/types.hpp"

namespace shunt::test {

/// The messages of an Algorithm or an Allgather.
template <class Staged>
int messages_of(const Staged& algorithm) {
  int messages = 0;
  for (int stage = 0; stage < algorithm.stages(); ++stage) {
    for (Rank rank = 0; rank < algorithm.ranks(); ++rank) {
      for (const Step& step : algorithm.steps(stage, rank)) {
        if (step.to != kNoRank) ++messages;
      }
    }
  }
  return messages;
}

/// The lengths of all runs of cells ("M3 5h12") added up.
inline int cells_in(const std::string& picture) {
  int cells = 0;
  for (std::size_t at = picture.find(" d=\"M"); at != std::string::npos;
       at = picture.find(" d=\"M", at + 1)) {
    const std::string path = picture.substr(at + 4, picture.find('"', at + 4) - at - 4);
    for (std::size_t h = path.find('h'); h != std::string::npos; h = path.find('h', h + 1)) {
      int length = 0;
      std::from_chars(path.data() + h + 1, path.data() + path.size(), length);
      cells += length;
    }
  }
  return cells;
}

}  // namespace shunt::test
