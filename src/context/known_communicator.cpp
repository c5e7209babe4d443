#include "context/known_communicator.hpp"

#include "context/context.hpp"

namespace shunt {

[[gnu::hot]] KnownCommunicator* KnownCommunicator::find(MPI_Comm comm) { return Kept::find(comm); }

KnownCommunicator& KnownCommunicator::of(MPI_Comm comm) {
  if (KnownCommunicator* const known = find(comm)) return *known;
  return Kept::attach(comm, std::make_unique<KnownCommunicator>());
}

}  // namespace shunt
