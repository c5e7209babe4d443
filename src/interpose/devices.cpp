#include "interpose/devices.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "bindings/checked.hpp"
#include "context/device_memory.hpp"
#include "mpi_calls/mpi_call.hpp"

namespace shunt::interpose {

namespace {

/// The addresses between which the data of a buffer lies.
struct Reach {
  Bytes begin = 0;
  Bytes end = 0;

  [[nodiscard]] bool is_empty() const { return begin == end; }
};

/// Where block `k` begins, from the buffer.
Bytes place_of(const c::SideArguments& side, std::size_t k, Bytes count, Bytes extent) {
  if (side.shape == c::Shape::typed) return side.displacements[k];
  const Bytes place = side.displacements.is_null()
                          ? times(count, static_cast<Bytes>(k), "a displacement")
                          : side.displacements[k];
  return times(place, extent, "a displacement");
}

/// Returns the reach of the blocks that a rank sends to, or receives from, `ranks` ranks. Throws
/// Error(type), Error(count).
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

/// Owns a copy of what lies within a reach, gaps included. Copies by messages of MPI to the rank
/// itself: an MPI that is given memory of devices can move it.
class HostCopy {
 public:
  HostCopy(const c::SideArguments& side, const Reach& reach)
      : side_(side), reach_(reach), memory_(static_cast<std::size_t>(reach.end - reach.begin)) {
    Myself().copy(at_address(reach_.begin), memory_.data(), std::ssize(memory_));
  }

  /// Returns the arguments with the copy instead of the buffer.
  [[nodiscard]] c::SideArguments side() const {
    c::SideArguments side = side_;
    side.buffer = at_address(address_of(side.buffer) + address_of(memory_.data()) - reach_.begin);
    return side;
  }

  void copy_back() const {
    Myself().copy(memory_.data(), at_address(reach_.begin), std::ssize(memory_));
  }

 private:
  c::SideArguments side_;
  Reach reach_;
  std::vector<std::byte> memory_;
};

/// What this rank has on a device: empty where there is nothing.
struct OnDevice {
  Reach send;
  Reach receive;

  [[nodiscard]] bool any() const { return !send.is_empty() || !receive.is_empty(); }
};

/// Whether a side with this buffer may lie on a device. The address says it, but for MPI_BOTTOM.
[[gnu::always_inline]] inline bool may_be_on_device(const void* buffer) {
  return buffer != MPI_IN_PLACE && (buffer == MPI_BOTTOM || is_device_memory(buffer));
}

/// What of a side is on a device. Empty too where the arguments are wrong, of which others speak.
Reach find_on_device(const c::SideArguments& side, Rank ranks) {
  if (!may_be_on_device(side.buffer) || !has_devices()) return {};
  try {
    const Reach reach = reach_of(side, ranks);
    const bool is_absolute = side.buffer == MPI_BOTTOM;
    return is_absolute && !is_device_memory(at_address(reach.begin)) ? Reach{} : reach;
  } catch (const Error&) {
    return {};
  }
}

OnDevice find_on_device(const c::Call& given, Rank rank, Rank ranks) {
  const c::Call call = c::significant_part(given, given.root == rank);
  return {find_on_device(call.send, ranks), find_on_device(call.receive, ranks)};
}

void exchange_copies(const c::Call& call, const OnDevice& on_device,
                     std::optional<TunedCall>& tuned) {
  c::Call copied = call;
  std::optional<HostCopy> out;
  std::optional<HostCopy> in;
  if (!on_device.send.is_empty()) copied.send = out.emplace(call.send, on_device.send).side();
  if (!on_device.receive.is_empty()) {
    copied.receive = in.emplace(call.receive, on_device.receive).side();
  }
  c::exchange_once(copied, NativeCall::as_it_came, tuned);
  if (in && !tuned->is_left_to_caller()) in->copy_back();
}

void exchange_beside_devices(const c::Call& call, std::optional<TunedCall>& tuned,
                             bool& is_for_mpi) {
  Context* context = Context::known_again(call.comm);
  if (context == nullptr) context = Context::of(call.comm).get();
  OnDevice mine;
  if (may_be_on_device(call.send.buffer) || may_be_on_device(call.receive.buffer)) [[unlikely]] {
    mine = find_on_device(call, context->rank(), context->ranks());
  }
  is_for_mpi = context->devices.any_says(context->progress, mine.any());
  if (is_for_mpi) return;
  if (mine.any()) [[unlikely]]
    return exchange_copies(call, mine, tuned);
  c::exchange_once(call, NativeCall::as_it_came, tuned);
}

}  // namespace

[[gnu::hot]] bool make_beside_devices(const c::Call& call, std::optional<TunedCall>& tuned,
                                      bool& is_for_mpi, c::Failure& failure) noexcept {
  return c::succeeds(failure, [&] { exchange_beside_devices(call, tuned, is_for_mpi); });
}

}  // namespace shunt::interpose
