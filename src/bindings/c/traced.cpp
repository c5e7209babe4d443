#include "bindings/c/traced.hpp"

#include "bindings/c/agreement.hpp"
#include "bindings/c/exchange.hpp"
#include "model/or_nothing.hpp"

namespace shunt::c {

namespace {

bool make_recorded(const Call& call, Failure& failure) {
  TracedCall record(trace_of(call.comm));
  const bool made = make_exchange(call, failure);
  if (made) record_success(record, call);
  return made;
}

}  // namespace

std::shared_ptr<CommunicatorTrace> trace_of(MPI_Comm comm) noexcept {
  // Whoever makes the exchange says what is wrong.
  return or_nothing([&] { return CommunicatorTrace::of(*context_of(comm)); });
}

void record_success(TracedCall& record, const Call& call) noexcept {
  if (!record.is_recorded()) return;
  // The program's own data matter more than a call that is left out.
  or_nothing([&] {
    int peers = 0;
    int rank = 0;
    MPI_Comm_size(call.comm, &peers);
    MPI_Comm_rank(call.comm, &rank);
    record.done(call.function,
                sent_bytes(significant_part(call, call.root == rank), index_of(peers)),
                is_allgather(call.form) ? RowKind::allgather : RowKind::exchange);
  });
}

int make_traced_exchange(const Call& call) {
  Failure failure;
  const bool made = is_traced() ? make_recorded(call, failure) : make_exchange(call, failure);
  return made ? MPI_SUCCESS : report(call.function, {call.comm}, failure);
}

}  // namespace shunt::c
