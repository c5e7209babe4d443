// Calls while MPI is finalized and after it. What Shunt has given back is one clear error, also on
// a communicator of an earlier call that nobody has freed: what a thread found last is forgotten.
// That communicator is lost, as is what MPI holds for it, so this is a program of its own.
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <mpi.h>

#include "shunt/error.hpp"
#include "shunt/shunt.h"
#include "shunt/shunt.hpp"

namespace {

MPI_Comm kept = MPI_COMM_NULL;
bool fails = false;

void expect(bool right, const char* sentence) {
  if (right) return;
  std::cerr << sentence << '\n';
  fails = true;
}

bool says(const std::string& sentence, const char* words) {
  return sentence.find(words) != std::string::npos;
}

/// What a Communicator says, if it is refused.
std::string refusal(MPI_Comm comm) {
  try {
    const shunt::Communicator communicator(comm);
  } catch (const shunt::Error& error) {
    return error.what();
  }
  return "";
}

/// MPI_SUCCESS where the exchange was right.
int exchange(MPI_Comm comm) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  std::vector<int> sent(static_cast<std::size_t>(ranks), rank);
  std::vector<int> received(sent.size(), -1);
  const int code = SHUNT_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm);
  for (int peer = 0; code == MPI_SUCCESS && peer < ranks; ++peer) {
    expect(received[static_cast<std::size_t>(peer)] == peer, "a wrong byte");
  }
  return code;
}

/// Set after Shunt's first call, so MPI calls it before Shunt gives back what it has.
int exchange_early(MPI_Comm /*self*/, int /*key*/, void* /*value*/, void* /*extra*/) {
  expect(exchange(kept) == MPI_SUCCESS, "there is no exchange before Shunt's end");
  return MPI_SUCCESS;
}

/// Set before Shunt's first call.
int refuse_late(MPI_Comm /*self*/, int /*key*/, void* /*value*/, void* /*extra*/) {
  for (int again = 0; again < 2; ++again) {
    expect(says(refusal(kept), "MPI_Finalize has begun"),
           "a call after Shunt's end is not refused");
    const int code = exchange(kept);
    int error_class = MPI_SUCCESS;
    MPI_Error_class(code, &error_class);
    expect(error_class == MPI_ERR_COMM, "a call of C after Shunt's end is of another class");
    expect(says(SHUNT_Last_error(), "SHUNT_Alltoall on rank ") &&
               says(SHUNT_Last_error(), "MPI_Finalize has begun"),
           SHUNT_Last_error());
  }
  return MPI_SUCCESS;
}

void at_end(MPI_Comm_delete_attr_function* hook) {
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, hook, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  MPI_Comm_free_keyval(&key);
}

}  // namespace

int main(int argc, char** argv) {
  expect(says(refusal(MPI_COMM_WORLD), "MPI is not running"), "a call before MPI_Init is allowed");
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &kept);
  MPI_Comm_set_errhandler(kept, MPI_ERRORS_RETURN);
  at_end(refuse_late);
  // The first one makes what is kept on the communicator, the second one finds it.
  expect(refusal(kept).empty() && refusal(kept).empty(), "a call before MPI_Finalize is refused");
  at_end(exchange_early);
  MPI_Finalize();
  expect(says(refusal(kept), "MPI is not running"), "a call after MPI_Finalize is not refused");
  return fails ? EXIT_FAILURE : EXIT_SUCCESS;
}
