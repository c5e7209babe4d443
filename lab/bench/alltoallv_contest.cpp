#include "lab/bench/alltoallv_contest.hpp"

namespace shunt::bench {

AlltoallvContest::AlltoallvContest(MPI_Comm comm, const Traffic& traffic, int element,
                                   const ContestOptions& options)
    : comm_(comm), communicator_(comm), blocks_(comm, traffic, element), contest_(comm, options) {
  MPI_Type_contiguous(element, MPI_BYTE, &type_);
  MPI_Type_commit(&type_);
  const Contestant reference = native();
  contest_.add(reference);
  contest_.add_shunt(forms(), reference);
}

AlltoallvContest::~AlltoallvContest() { MPI_Type_free(&type_); }

Contestant AlltoallvContest::native() {
  auto run = [this, send = blocks_.send_counts(), receive = blocks_.receive_counts()] {
    MPI_Alltoallv(blocks_.send().data(), send.counts.data(), send.displacements.data(), type_,
                  blocks_.receive().data(), receive.counts.data(), receive.displacements.data(),
                  type_, comm_);
  };
  return {"native",
          "",
          "",
          run,
          [this] { blocks_.prepare(); },
          [this] { return blocks_.wrong_bytes(); }};
}

Forms AlltoallvContest::forms() {
  return {[this](const Options& chosen) {
            return communicator_.plan_alltoallv(blocks_.send(), blocks_.send_layout(),
                                                blocks_.receive(), blocks_.receive_layout(),
                                                chosen);
          },
          [this](const Options& chosen) {
            return communicator_.alltoallv(blocks_.send(), blocks_.send_layout(), blocks_.receive(),
                                           blocks_.receive_layout(), chosen);
          }};
}

Bytes AlltoallvContest::largest_send() const {
  const auto mine = static_cast<Bytes>(blocks_.send().size());
  Bytes largest = 0;
  MPI_Allreduce(&mine, &largest, 1, MPI_INT64_T, MPI_MAX, comm_);
  return largest;
}

}  // namespace shunt::bench
