// A part of a distributed matrix goes to a part of another one, as ScaLAPACK's p?gemr2d has it.
#pragma once

#include <array>

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
};
static_assert(sizeof(MatrixDescriptor) == 9 * sizeof(int), "an array of nine ints, to ScaLAPACK");

/// One side: the matrix, and where the part begins in it, from 1.
struct MatrixPart {
  int row;
  int column;
  MatrixDescriptor descriptor;
};

struct MatrixCopy {
  int rows;
  int columns;
  MatrixPart from;
  MatrixPart to;
  int context;  ///< of all processes that take part
  Bytes element;
};

/// Collective over the processes of the context, whose grids the matrices' grids lie in. What is to
/// be done is planned when it is new, and kept; else one small reduction tells that all processes
/// mean the same. Throws Error(argument), Error(count) or Error(rank) on all of them where the
/// descriptors do not agree or break a rule; on a process by itself where it is not in the context,
/// or the leading dimension of its part is too short.
void copy_matrix(const MatrixCopy& copy, const void* from, void* to);

}  // namespace shunt
