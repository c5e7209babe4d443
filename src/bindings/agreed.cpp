#include "bindings/agreed.hpp"

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt {

void expect_no_failure(const Context& context, const std::exception_ptr& own) {
  const Rank mine = own != nullptr ? context.rank() : context.ranks();
  Rank first = 0;
  context.progress.reduce(&mine, &first, 1, MPI_INT32_T, MPI_MIN);
  if (own != nullptr) std::rethrow_exception(own);
  if (first == context.ranks()) return;
  throw Error(ErrorKind::communication,
              fmt::format("the arguments of rank {} cannot be used, so no rank goes on", first));
}

}  // namespace shunt
