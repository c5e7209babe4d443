// Errors that Shunt reports, each with a kind and one sentence.
#pragma once

#include <stdexcept>
#include <string>

namespace shunt {

/// What was wrong. Each kind corresponds to one MPI error class, which the C interface returns.
enum class ErrorKind {
  argument,       ///< MPI_ERR_ARG: an argument breaks a rule that no other kind names
  buffer,         ///< MPI_ERR_BUFFER: a buffer is too small or missing
  count,          ///< MPI_ERR_COUNT: a count is negative, or the counts have the wrong number
  type,           ///< MPI_ERR_TYPE: a datatype cannot be used here
  rank,           ///< MPI_ERR_RANK: a rank lies outside the communicator
  root,           ///< MPI_ERR_ROOT: a root lies outside the communicator
  communicator,   ///< MPI_ERR_COMM: a communicator cannot be used here
  truncated,      ///< MPI_ERR_TRUNCATE: sender and receiver do not agree on a length
  request,        ///< MPI_ERR_REQUEST: a request cannot be used here
  file,           ///< MPI_ERR_FILE: a file cannot be read, written or understood
  communication,  ///< MPI_ERR_OTHER: MPI reported a failure, or another rank cannot go on
  internal        ///< MPI_ERR_INTERN: a broken invariant of Shunt itself
};

/// The exception by which the C++ interface reports errors; exhausted memory is std::bad_alloc.
/// `what()` is one sentence that names the argument, its value and the rule. Errors are local to a
/// rank unless the call that throws says otherwise.
class Error : public std::runtime_error {
 public:
  /// Makes an error with this kind and this `what()`.
  Error(ErrorKind kind, const std::string& sentence) : std::runtime_error(sentence), kind_(kind) {}

  /// Returns what was wrong.
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace shunt
