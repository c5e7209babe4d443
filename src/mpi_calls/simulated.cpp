#ifdef SHUNT_SIMULATED

#include "mpi_calls/simulated.hpp"

#include <fmt/format.h>
#include <smpi/smpi.h>

#include "shunt/error.hpp"

namespace shunt {

Simulation& simulation() {
  static Simulation simulation;
  return simulation;
}

void charge_copies(Bytes bytes) {
  const double seconds = static_cast<double>(bytes) * simulation().copy_per_byte;
  if (seconds > 0) smpi_execute_benched(seconds);
}

std::byte* folded_payload(Bytes bytes) {
  if (bytes > simulation().folded_bytes) {
    throw Error(ErrorKind::buffer, fmt::format("{} bytes of payload do not fit into the {} that "
                                               "stand for them",
                                               bytes, simulation().folded_bytes));
  }
  return simulation().folded;
}

}  // namespace shunt

#endif
