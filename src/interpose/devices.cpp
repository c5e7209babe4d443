#include "interpose/devices.hpp"

#include <optional>

#include "exchange/device_memory.hpp"
#include "interpose/host_copy.hpp"

namespace shunt::interpose {

namespace {

/// What this rank has on a device: empty where there is nothing.
struct OnDevice {
  Reach send;
  Reach receive;

  [[nodiscard]] bool any() const { return !send.is_empty() || !receive.is_empty(); }
};

/// What of a side is on a device. Of most sides the address of the buffer says all; MPI_BOTTOM says
/// nothing. Empty too where the arguments are wrong, of which others speak.
[[gnu::hot]] Reach find_on_device(const c::SideArguments& side, c::Form form, Rank blocks) {
  const bool is_absolute = side.buffer == MPI_BOTTOM && has_devices();
  if (side.buffer == MPI_IN_PLACE) return {};
  if (!is_absolute && !is_device_memory(side.buffer)) return {};
  try {
    const Reach reach = reach_of(side, form, blocks);
    return is_absolute && !is_device_memory(at_address(reach.begin)) ? Reach{} : reach;
  } catch (const Error&) {
    return {};
  }
}

[[gnu::hot]] OnDevice find_on_device(const c::Call& call, Rank ranks) {
  return {find_on_device(call.send, call.form, is_broadcast(call.form) ? 1 : ranks),
          find_on_device(call.receive, call.form, ranks)};
}

bool make_from_copies(const c::Call& call, const OnDevice& on_device, c::Choice& choice,
                      c::Failure& failure) noexcept {
  c::Call copied = call;
  std::optional<HostCopy> out;
  std::optional<HostCopy> in;
  const bool is_copied = c::succeeds(failure, [&] {
    if (!on_device.send.is_empty()) copied.send = out.emplace(call.send, on_device.send).side();
    if (on_device.receive.is_empty()) return;
    copied.receive = in.emplace(call.receive, on_device.receive).side();
  });
  if (!is_copied || !c::make_exchange(copied, choice, failure)) return false;
  if (choice.is_native() || !in) return true;
  return c::succeeds(failure, [&] { in->copy_back(); });
}

}  // namespace

[[gnu::hot]] bool make_beside_devices(const c::Call& call, c::Choice& choice, bool& is_for_mpi,
                                      c::Failure& failure) noexcept {
  OnDevice mine;
  const bool is_known = c::succeeds(failure, [&] {
    YardState* yard = YardState::known_again(call.comm);
    if (yard == nullptr) yard = YardState::of(call.comm).get();
    mine = find_on_device(call, yard->ranks());
    is_for_mpi = yard->devices.any_says(*yard, mine.any());
  });
  if (!is_known) return false;
  if (is_for_mpi) return true;
  return mine.any() ? make_from_copies(call, mine, choice, failure)
                    : c::make_exchange(call, choice, failure);
}

}  // namespace shunt::interpose
