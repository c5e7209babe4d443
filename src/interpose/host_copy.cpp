#include "interpose/host_copy.hpp"

#include <algorithm>

#include "bindings/checked.hpp"
#include "mpi_calls/mpi_call.hpp"

namespace shunt::interpose {

namespace {

/// This rank alone, to whom no message of the program goes. What hangs on MPI_COMM_SELF is not
/// copied.
class Myself {
 public:
  Myself() { check_mpi(PMPI_Comm_split(MPI_COMM_SELF, 0, 0, &comm_), "MPI_Comm_split"); }
  ~Myself() { PMPI_Comm_free(&comm_); }
  Myself(const Myself&) = delete;
  Myself& operator=(const Myself&) = delete;

  void copy(const void* from, void* to, Bytes bytes) const {
    const ByteCount all(bytes);
    check_mpi(PMPI_Sendrecv(from, all.count(), all.type(), 0, 0, to, all.count(), all.type(), 0, 0,
                            comm_, MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Where block `k` begins, from the buffer.
Bytes place_of(const c::SideArguments& side, std::size_t k, Bytes count, Bytes extent) {
  if (side.shape == c::Shape::typed) return side.displacements[k];
  const Bytes place = side.displacements.is_null()
                          ? times(count, static_cast<Bytes>(k), "a displacement")
                          : side.displacements[k];
  return times(place, extent, "a displacement");
}

}  // namespace

Reach reach_of(const c::SideArguments& side, Rank ranks) {
  Reach reach;
  const bool is_single = side.shape == c::Shape::single;
  const std::size_t blocks = is_single ? 1 : index_of(ranks);
  if (side.shape == c::Shape::none) return reach;
  for (std::size_t k = 0; k < blocks; ++k) {
    const Bytes count = side.counts[k];
    if (count <= 0) continue;
    const auto element = element_type({side.type_of(k), "given"});
    if (element->span == 0) continue;
    const Bytes first =
        address_of(side.buffer) + place_of(side, k, count, element->extent) + element->first;
    const Bytes last = first + times(count - 1, element->extent, "a count");
    const Bytes begin = std::min(first, last);
    const Bytes end = std::max(first, last) + element->span;
    reach.begin = reach.is_empty() ? begin : std::min(reach.begin, begin);
    reach.end = std::max(reach.end, end);
  }
  return reach;
}

HostCopy::HostCopy(const c::SideArguments& side, const Reach& reach)
    : side_(side), reach_(reach), memory_(static_cast<std::size_t>(reach.end - reach.begin)) {
  Myself().copy(at_address(reach_.begin), memory_.data(), std::ssize(memory_));
}

c::SideArguments HostCopy::side() const {
  c::SideArguments side = side_;
  side.buffer = at_address(address_of(side.buffer) + address_of(memory_.data()) - reach_.begin);
  return side;
}

void HostCopy::copy_back() const {
  Myself().copy(memory_.data(), at_address(reach_.begin), std::ssize(memory_));
}

}  // namespace shunt::interpose
