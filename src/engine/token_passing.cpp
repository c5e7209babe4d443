#include "engine/token_passing.hpp"

#include "mpi_calls/mpi_call.hpp"

namespace shunt {

namespace {

int token_tag(int tag) { return tag + 1; }

}  // namespace

MPI_Request take_token(Rank from, MPI_Comm comm, int tag) {
  return start_receive(nullptr, 0, {from, token_tag(tag), comm});
}

MPI_Request pass_token(Rank to, MPI_Comm comm, int tag) {
  return start_send(nullptr, 0, {to, token_tag(tag), comm});
}

bool TokenPassing::has_come(std::size_t step, MPI_Request& awaited) {
  const Rank after = turns_[step].after;
  if (after == kNoRank) return true;
  if (after == own_) {
    if (from_oneself_ == 0) return false;
    --from_oneself_;
    return true;
  }
  if (!here_ && awaited == MPI_REQUEST_NULL) awaited = take_token(after, comm_, tag_);
  if (!here_) return false;
  here_ = false;
  return true;
}

void TokenPassing::pass(std::size_t step) {
  const Rank then = turns_[step].then;
  if (then == own_) ++from_oneself_;
  if (then == kNoRank || then == own_) return;
  // An empty message has no memory that must stay: nobody waits until it was taken, for who takes
  // it may first need a later step of this rank.
  MPI_Request passed = pass_token(then, comm_, tag_);
  if (passed != MPI_REQUEST_NULL) check_mpi(MPI_Request_free(&passed), "MPI_Request_free");
}

}  // namespace shunt
