#include "interpose/devices.hpp"

#include <optional>

#include "context/device_memory.hpp"
#include "interpose/host_copy.hpp"

namespace shunt::interpose {

namespace {

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
