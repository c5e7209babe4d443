// What is to be given back when the program ends MPI.
#pragma once

#include <functional>

namespace shunt {

/// Calls `give_back` when MPI_Finalize begins, while MPI can still be called; the last one asked
/// for comes first. MPI is running.
void at_finalize(std::function<void()> give_back);

}  // namespace shunt
