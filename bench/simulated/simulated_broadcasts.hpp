// Broadcasts from many sources on a simulated machine.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "simulated_contest.hpp"

namespace shunt::bench {

/// Every byte tells of its source and its place. Folded payloads are nowhere written, and no byte
/// of them is ever found wrong.
class SimulatedBroadcasts final : public SimulatedContest {
 public:
  SimulatedBroadcasts(MPI_Comm comm, const SimulationJob& job);

 private:
  std::function<void()> mpi_call(const std::string& name) override;
  Plan plan(const Options& options) override;
  void run_once(const Options& options) override;
  void spoil() override;
  [[nodiscard]] Bytes wrong_bytes() const override;

  Layout layout_;  ///< of what is received, in bytes
  std::vector<std::byte> sent_;
  std::vector<std::byte> received_;
  std::span<const std::byte> send_;
  std::span<std::byte> receive_;
};

}  // namespace shunt::bench
