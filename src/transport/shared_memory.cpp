#include "transport/shared_memory.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "model/size_signal.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "transport/token.hpp"

namespace shunt {

namespace {

/// Where the others find the leader's memory. The token, also at its beginning, shows that it is
/// the leader's: a process of another container may have the same number.
struct Address {
  std::int64_t process = -1;
  std::int64_t file = -1;
  std::uint64_t token = 0;
};

/// False where the system refuses, as beyond RLIMIT_FSIZE.
bool set_length(int file, Bytes bytes) {
  const NoSizeSignal until_then;
  int code = 0;
  do code = ::ftruncate(file, bytes);
  while (code != 0 && errno == EINTR);
  return code == 0;
}

void* map(int file, Bytes bytes) {
  void* data =
      ::mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return data == MAP_FAILED ? nullptr : data;
}

/// Memory of one process alone, which no limit of the size of files concerns.
void* make_own(Bytes bytes) {
  void* data = ::mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return data == MAP_FAILED ? nullptr : data;
}

/// The leader's own part: `address.file` stays -1 where the system refuses.
void* make(Bytes bytes, Address& address) {
  const int file = ::memfd_create("shunt", MFD_CLOEXEC);
  if (file < 0) return nullptr;
  void* data = set_length(file, bytes) ? map(file, bytes) : nullptr;
  if (data == nullptr) {
    ::close(file);
    return nullptr;
  }
  address = {::getpid(), file, new_token()};
  std::memcpy(data, &address.token, sizeof address.token);
  return data;
}

void* find(const Address& address, Bytes bytes) {
  const std::string path = fmt::format("/proc/{}/fd/{}", address.process, address.file);
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return nullptr;
  void* data = ::lseek(file, 0, SEEK_END) == bytes ? map(file, bytes) : nullptr;
  ::close(file);
  if (data != nullptr && std::memcmp(data, &address.token, sizeof address.token) != 0) {
    ::munmap(data, static_cast<std::size_t>(bytes));
    return nullptr;
  }
  return data;
}

}  // namespace

std::unique_ptr<SharedMemory> SharedMemory::create(MPI_Comm comm, Bytes bytes) {
  int rank = 0;
  int ranks = 0;
  check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
  if (ranks == 1) {
    void* const own = make_own(bytes);
    return std::unique_ptr<SharedMemory>(own != nullptr ? new SharedMemory(own, bytes) : nullptr);
  }
  Address address;
  void* data = rank == 0 ? make(bytes, address) : nullptr;
  check_mpi(MPI_Bcast(&address, sizeof address, MPI_BYTE, 0, comm), "MPI_Bcast");
  if (rank != 0 && address.file >= 0) data = find(address, bytes);
  int reached = data != nullptr ? 1 : 0;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &reached, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  if (rank == 0 && address.file >= 0) ::close(static_cast<int>(address.file));
  if (data == nullptr) return nullptr;
  std::unique_ptr<SharedMemory> memory(new SharedMemory(data, bytes));
  if (reached == 0) return nullptr;
  if (rank == 0) std::memset(data, 0, sizeof address.token);
  check_mpi(MPI_Barrier(comm), "MPI_Barrier");
  return memory;
}

SharedMemory::~SharedMemory() { ::munmap(data_, static_cast<std::size_t>(bytes_)); }

}  // namespace shunt
