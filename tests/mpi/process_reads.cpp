#include "mpi/process_reads.hpp"

#include <cerrno>
#include <cstdint>

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// In the place of the C library's.
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name)
extern "C" ssize_t process_vm_readv(pid_t process, const iovec* to, unsigned long to_count,
                                    const iovec* from, unsigned long from_count,
                                    unsigned long flags) noexcept {
  if (shunt::test::ProcessReads::refused) {
    errno = EPERM;
    return -1;
  }
  const ssize_t read =
      ::syscall(SYS_process_vm_readv, process, to, to_count, from, from_count, flags);
  if (read > 0) shunt::test::ProcessReads::bytes += read;
  const auto behind = (reinterpret_cast<std::uintptr_t>(to->iov_base) -
                       reinterpret_cast<std::uintptr_t>(from->iov_base)) %
                      4096;
  if (read > 4096 && behind > 0 && behind < 32) ++shunt::test::ProcessReads::slow;
  return read;
}
