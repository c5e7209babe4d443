#include "lab/bench/allgather_contest.hpp"

namespace shunt::bench {

AllgatherContest::AllgatherContest(MPI_Comm comm, const Sources& sources,
                                   const ContestOptions& options)
    : comm_(comm),
      communicator_(comm),
      blocks_(sources, communicator_.rank()),
      contest_(comm, options) {
  const Contestant reference = native();
  contest_.add(reference);
  contest_.add_shunt(forms(), reference);
}

Contestant AllgatherContest::native() {
  auto run = [this, layout = blocks_.counts()] {
    MPI_Allgatherv(blocks_.send().data(), static_cast<int>(blocks_.send().size()), MPI_BYTE,
                   blocks_.receive().data(), layout.counts.data(), layout.displacements.data(),
                   MPI_BYTE, comm_);
  };
  return {"native",
          "",
          "",
          run,
          [this] { blocks_.prepare(); },
          [this] { return blocks_.wrong_bytes(); }};
}

Forms AllgatherContest::forms() {
  return {[this](const Options& chosen) {
            return communicator_.plan_allgatherv(blocks_.send(), blocks_.receive(),
                                                 blocks_.layout(), chosen);
          },
          [this](const Options& chosen) {
            return communicator_.allgatherv(blocks_.send(), blocks_.receive(), blocks_.layout(),
                                            chosen);
          }};
}

}  // namespace shunt::bench
