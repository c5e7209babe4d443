#include "exchange/node/processes.hpp"

#include <cerrno>
#include <cstring>
#include <random>

#include <fmt/format.h>
#include <sys/uio.h>
#include <unistd.h>

#include "exchange/mpi_call.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// Bytes that one call of the system copied: fewer than were asked for, or -1, where it could not.
Bytes read_some(std::int64_t process, const void* theirs, void* mine, Bytes bytes) {
  const auto length = static_cast<std::size_t>(bytes);
  const iovec to{mine, length};
  const iovec from{const_cast<void*>(theirs), length};
  return ::process_vm_readv(static_cast<pid_t>(process), &to, 1, &from, 1, 0);
}

/// Where the others find this process, and a token there that no other one has.
struct Probe {
  std::int64_t process;
  const void* address;
  std::uint64_t token;
};

bool finds(const Probe& probe) {
  std::uint64_t found = 0;
  constexpr auto kBytes = static_cast<Bytes>(sizeof found);
  return read_some(probe.process, probe.address, &found, kBytes) == kBytes && found == probe.token;
}

}  // namespace

Processes::Processes(MPI_Comm node) {
  int place = 0;
  int size = 1;
  check_mpi(MPI_Comm_rank(node, &place), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(node, &size), "MPI_Comm_size");
  std::random_device random;
  const std::uint64_t token = (std::uint64_t{random()} << 32) | random();
  const Probe own{::getpid(), &token, token};
  const std::vector<Probe> probes = gather_from_all(node, own);
  int found = finds(probes[static_cast<std::size_t>((place + 1) % size)]) ? 1 : 0;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_MIN, node), "MPI_Allreduce");
  readable_ = found != 0;
  for (const Probe& probe : probes) processes_.push_back(probe.process);
}

void Processes::read(std::size_t place, const std::byte* theirs, std::byte* mine,
                     Bytes bytes) const {
  while (bytes > 0) {
    const Bytes done = read_some(processes_[place], theirs, mine, bytes);
    if (done <= 0) {
      throw Error(
          ErrorKind::buffer,
          fmt::format("{} bytes of the send buffer of process {} cannot be read: {}", bytes,
                      processes_[place], done < 0 ? std::strerror(errno) : "no bytes came"));
    }
    theirs += done;
    mine += done;
    bytes -= done;
  }
}

}  // namespace shunt
