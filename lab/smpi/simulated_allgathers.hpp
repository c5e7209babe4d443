// All-gathers from many sources on a simulated machine.
#pragma once

#include <functional>
#include <string>

#include "lab/bench/source_blocks.hpp"
#include "lab/smpi/simulated_contest.hpp"

namespace shunt::bench {

class SimulatedAllgathers final : public SimulatedContest {
 public:
  SimulatedAllgathers(MPI_Comm comm, const SimulationJob& job);

 private:
  std::function<void()> mpi_call(const std::string& name) override;
  Plan plan(const Options& options) override;
  void run_once(const Options& options) override;
  void spoil() override { blocks_.prepare(); }
  [[nodiscard]] Bytes wrong_bytes() const override { return blocks_.wrong_bytes(); }

  SourceBlocks blocks_;
};

}  // namespace shunt::bench
