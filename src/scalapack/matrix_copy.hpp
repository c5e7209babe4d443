// A part of a distributed matrix goes to a part of another one, as ScaLAPACK's p?gemr2d, p?trmr2d
// and p?tran have it.
#pragma once

#include <chrono>
#include <cstdio>
#include <thread>

#include "scalapack/blacs.hpp"
#include "shunt/element_update.hpp"
#include "shunt/error.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// ScaLAPACK's array descriptor. On a process outside the matrix's grid only `context` says
/// anything, and that is -1.
struct MatrixDescriptor {
  int type;
  int context;
  int rows;
  int columns;
  int row_block;
  int column_block;
  int first_row;
  int first_column;
  int leading;

  bool operator==(const MatrixDescriptor&) const = default;
};
static_assert(sizeof(MatrixDescriptor) == 9 * sizeof(int), "an array of nine ints, to ScaLAPACK");

/// A process of a grid. -1 everywhere: outside.
struct GridPlace {
  int rows = -1;
  int columns = -1;
  int row = -1;
  int column = -1;

  bool operator==(const GridPlace&) const = default;
};

[[nodiscard]] GridPlace place_in(int context);

/// The source or the target of a copy: the matrix, and where the part begins in it, from 1.
struct MatrixPart {
  int row;
  int column;
  MatrixDescriptor descriptor;

  bool operator==(const MatrixPart&) const = default;
};

/// Where a part has no elements, ScaLAPACK's copies look at no other argument: processes give
/// descriptors that are none, or null pointers.
[[nodiscard]] constexpr bool is_empty(int rows, int columns) { return rows == 0 || columns == 0; }

struct MatrixCopy {
  int rows;  ///< of the part, as in `from`
  int columns;
  MatrixPart from;
  MatrixPart to;
  int context;  ///< of all processes that take part
  Bytes element;
  bool transposed = false;
};

/// Copies a part of a matrix to a part of another one; with an `update`, combines what arrives with
/// what is there. Collective over the processes of the context, whose grids contain the matrices'
/// grids. A new copy is planned, and the plan kept; else one small reduction tells that all
/// processes mean the same copy. Throws Error(argument), Error(count) or Error(rank) on all of them
/// where the descriptors do not agree or break a rule; on a process by itself where it is not in
/// the context, or the leading dimension of its part is too short.
void copy_matrix(const MatrixCopy& copy, const void* from, void* to, ElementUpdate update = {});

/// Time for launchers to read what a process has written before it calls MPI_Abort; they end
/// without reading the rest.
inline constexpr std::chrono::milliseconds kUntilRead{500};

/// Runs `call`. Where it throws Error, writes one sentence after the routine's name and ends the
/// program, as ScaLAPACK does.
template <class Call>
void or_abort(const char* routine, int context, Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    std::fprintf(stderr, "%s: %s\n", routine, error.what());
    std::this_thread::sleep_for(kUntilRead);
    Cblacs_abort(context, 1);
  }
}

}  // namespace shunt
