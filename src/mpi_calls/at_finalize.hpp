// What is to be given back when the program ends MPI.
#pragma once

#include <atomic>
#include <functional>

namespace shunt {

/// Calls `give_back` when MPI_Finalize begins, while MPI can still be called; the last one asked
/// for comes first. MPI is running. What it throws is lost.
void at_finalize(std::function<void()> give_back);

inline constinit std::atomic<bool> given_back{false};

/// Whether MPI_Finalize has begun and everything has been given back. MPI may still be called: by
/// delete callbacks of the program's on MPI_COMM_SELF, which come later where they were set
/// earlier.
[[nodiscard]] inline bool has_given_back() noexcept {
  return given_back.load(std::memory_order_relaxed);
}

/// Throws Error(communicator) where it has.
void expect_not_given_back();

}  // namespace shunt
