#include "interpose/warm_up.hpp"

#include <bit>
#include <utility>

#include <fmt/format.h>

#include "bindings/c/mpi_faults.hpp"
#include "context/context.hpp"
#include "environment/environment.hpp"
#include "interpose/strangers.hpp"
#include "model/say.hpp"
#include "trace/communicator_trace.hpp"

namespace shunt::interpose {

namespace {

/// The ranks agree before this call, the eighth, the sixteenth and so on: a reduction takes as long
/// as a short call.
constexpr std::uint64_t kFirstAgreement = 4;

bool is_due(std::int64_t calls) {
  const auto number = static_cast<std::uint64_t>(calls);
  return number >= kFirstAgreement && std::has_single_bit(number);
}

/// Whether the calls so far have taken all ranks so long that setting up is a small part of it, or
/// MPI's own function fails with some rank's arguments. The rank that came last to the calls waited
/// for nobody, so what it took is what they cost.
bool is_worth_it(const c::Call& call, Rank ranks, double seconds) {
  return all_or_any(call.comm, seconds >= environment().warm_up,
                    c::meets_fault(call, ranks, c::Remedy::another_way));
}

/// Traces tell communicators apart by what Shunt keeps for each.
SetSharing sharing() { return is_traced() ? SetSharing::own : SetSharing::shared; }

Way set_up(MPI_Comm comm, WarmUp& warm_up) {
  try {
    (void)Context::of(comm, sharing());
  } catch (const Error& error) {
    // What is wrong with variables is for the call to say.
    if (error.kind() != ErrorKind::communicator) return Way::shunt;
    warm_up.is_left_to_mpi = true;
    if (is_verbose()) say(fmt::format("a communicator is left to MPI: {}", error.what()));
    return Way::not_set_up;
  }
  return Way::shunt;
}

Asked asked_for(c::Form form) {
  const Environment& chosen = environment();
  return c::is_allgather(form) ? chosen.asked_allgather : chosen.asked;
}

/// Whether Shunt has to do with every call, from the first one on.
bool sees_all_calls() {
  const Environment& chosen = environment();
  return chosen.check || is_traced() || !chosen.faults.empty();
}

/// Calls of this function pass at once from now on, unless somebody wants to know of them.
Way leave(WarmUp& warm_up, c::Form form, Way way) {
  warm_up.left[static_cast<std::size_t>(form)].all = !is_recorded();
  return way;
}

}  // namespace

Way admit(const c::Call& call, WarmUp& warm_up) {
  if (!std::exchange(warm_up.is_looked_at, true) && has_strangers(call.comm)) {
    warm_up.is_left_to_mpi = true;
    if (is_verbose()) say("a communicator of several MPI_COMM_WORLDs is left to MPI");
  }
  if (warm_up.is_left_to_mpi) return leave(warm_up, call.form, Way::not_set_up);
  if (sees_all_calls()) return set_up(call.comm, warm_up);
  const Asked asked = asked_for(call.form);
  if (asked == Asked::native) return leave(warm_up, call.form, Way::chosen);
  ++warm_up.calls;
  const bool is_first = !std::exchange(warm_up.seen[static_cast<std::size_t>(call.form)], true);
  int ranks = 0;
  PMPI_Comm_size(call.comm, &ranks);
  const bool agrees =
      is_due(warm_up.calls) || (is_first && c::has_fault(call.form, ranks, c::Remedy::another_way));
  const bool takes_over = asked == Asked::algorithm || environment().warm_up == 0 ||
                          (agrees && is_worth_it(call, ranks, warm_up.seconds));
  return takes_over ? set_up(call.comm, warm_up) : Way::warming_up;
}

}  // namespace shunt::interpose
