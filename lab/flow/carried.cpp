#include "lab/flow/carried.hpp"

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt {

void expect_supported(const Algorithm& algorithm, const Traffic& traffic, Rank source,
                      Rank destination) {
  if (algorithm.supports_pair(source, destination)) return;
  throw Error(ErrorKind::argument,
              fmt::format("{} carries no block from rank {} to rank {}, but the traffic {} has one",
                          algorithm.name(), source, destination, traffic.name()));
}

}  // namespace shunt
