// What a communicator knows about which configuration is the fastest.
#pragma once

#include <memory>

#include "context/process_set.hpp"
#include "context/progress.hpp"
#include "context/topology.hpp"
#include "learning/learned_calls.hpp"
#include "model/profile.hpp"

namespace shunt {

class Tuning {
 public:
  /// All outlive it.
  Tuning(const ProcessSet& set, Topology& topology, const Progress& progress)
      : set_(set), topology_(topology), progress_(progress) {}

  /// Returns what the machine costs: the profile that rank 0 finds for the communicator
  /// (find_profile), or typical costs. Collective when it is first called; all ranks have the same
  /// answer. Rank 0 says on standard error, once in the process, which file it could not take.
  [[nodiscard]] std::shared_ptr<const Profile> profile();

  /// Whether that was called.
  [[nodiscard]] bool knows_profile() const { return profile_ != nullptr; }

  /// What one-shot calls have taught so far; equal on all ranks, but for times that were not
  /// exchanged yet.
  LearnedCalls learned;

 private:
  /// Collective: see `profile`. Simulated machines have typical costs.
  [[nodiscard]] Profile agree_on_profile() const;

  const ProcessSet& set_;
  Topology& topology_;
  const Progress& progress_;
  std::shared_ptr<const Profile> profile_;
};

}  // namespace shunt
