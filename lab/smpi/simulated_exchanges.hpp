// Irregular all-to-all exchanges on a simulated machine.
#pragma once

#include "lab/bench/contest_blocks.hpp"
#include "lab/smpi/simulated_contest.hpp"

namespace shunt::bench {

class SimulatedExchanges final : public SimulatedContest {
 public:
  SimulatedExchanges(MPI_Comm comm, const SimulationJob& job);

 private:
  std::function<void()> mpi_call(const std::string& name) override;
  Plan plan(const Options& options) override;
  void run_once(const Options& options) override;
  void spoil() override { blocks_.prepare(); }
  [[nodiscard]] Bytes wrong_bytes() const override { return blocks_.wrong_bytes(); }

  int element_;
  ContestBlocks blocks_;
};

}  // namespace shunt::bench
