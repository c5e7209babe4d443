// Exchanges within a bound, planned once.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "shunt/counters.hpp"
#include "shunt/layout.hpp"

namespace shunt {

/// Executes exchanges with other counts each time, within a bound that was given once. The bound
/// lets each message go out as one, where alltoallv sends a head first and the rest after it. Made
/// by Communicator::plan_bounded. What Communicator says of communication, buffers, errors and
/// threads holds here.
class BoundedPlan {
 public:
  class Implementation;

  /// Takes over an implementation. For Communicator.
  explicit BoundedPlan(std::unique_ptr<Implementation> implementation);
  /// Takes over the other plan, which can then only be destroyed or assigned to. Local.
  BoundedPlan(BoundedPlan&&) noexcept;
  /// Takes over the other plan, which can then only be destroyed or assigned to. Local.
  BoundedPlan& operator=(BoundedPlan&&) noexcept;
  /// Frees the plan. Local.
  ~BoundedPlan();

  /// Exchanges blocks as Communicator::alltoallv does, and returns what this rank did. Collective.
  /// Throws Error(count) where this rank sends or receives more than the bound; as in
  /// Communicator::alltoallv, a rank whose arguments are wrong takes part without blocks before it
  /// throws.
  template <Element T>
  Counters execute(std::span<const T> send, const Layout& send_layout, std::span<T> receive,
                   const Layout& receive_layout) {
    return execute_bytes(std::as_bytes(send), send_layout, std::as_writable_bytes(receive),
                         receive_layout, sizeof(T));
  }

 private:
  Counters execute_bytes(std::span<const std::byte> send, const Layout& send_layout,
                         std::span<std::byte> receive, const Layout& receive_layout,
                         std::size_t element);

  std::unique_ptr<Implementation> implementation_;
};

}  // namespace shunt
