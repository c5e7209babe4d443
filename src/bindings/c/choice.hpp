// The algorithm and options that one call of the C interface is made with.
#pragma once

#include <optional>
#include <type_traits>
#include <vector>

#include "bindings/c/arguments.hpp"
#include "environment/environment.hpp"
#include "exchange/context.hpp"
#include "planner/one_shot.hpp"
#include "shunt/options.hpp"

namespace shunt::c {

/// Chooses the configuration of one call by what the environment asks for, and whether MPI's own
/// function makes it, which then the caller calls.
class Choice {
 public:
  /// `native` is how MPI's own function can be called: `as_it_came` by the caller, otherwise by
  /// Shunt, as one way among others.
  explicit Choice(NativeCall native) : native_(native) {}

  /// Begins the choice without looking at the blocks: most calls are made as earlier ones were.
  /// Collective, whatever this rank's arguments are.
  void begin(Context& context, const Call& call);

  [[nodiscard]] bool is_begun() const { return context_ != nullptr; }

  /// Completes the choice, where it depends on the traffic: `traffic_of` returns that of an
  /// exchange, or the lengths of a broadcast's blocks. Collective, also on a rank that cannot read
  /// its own, which gives none.
  template <class TrafficOf>
  void go_on(const TrafficOf& traffic_of) {
    if (asks_) {
      made_->agree_on(traffic_of());
      made_->decide();
      asks_ = false;
    }
    if constexpr (std::is_same_v<std::decay_t<decltype(traffic_of())>, std::vector<Bytes>>) {
      if (made_ && made_->is_timed()) made_->time_if_like(traffic_of());
    }
  }

  /// Returns the options to make the call with, which was begun with `options`.
  [[nodiscard]] const Options& way(const Options& options) const {
    return made_ ? made_->configuration() : options;
  }

  /// Whether the caller can call MPI's own function.
  [[nodiscard]] bool may_be_native() const { return native_ == NativeCall::as_it_came; }

  /// Whether MPI's own function is to make the call.
  [[nodiscard]] bool is_native() const {
    return may_be_native() && (asked_ == Asked::native || (made_ && made_->is_native()));
  }

  /// The call is over, and has not failed.
  void end() {
    if (made_) made_->end();
  }

  /// MPI's own function has failed, which the caller called.
  void fail() {
    if (made_) made_->fail();
  }

  /// Called after the end, where later calls are not recorded: if MPI's own function made this one,
  /// it makes later calls of that function too, as far as that is decided, without a choice.
  void leave_to_mpi();

 private:
  const NativeCall native_;
  Context* context_ = nullptr;  ///< null before the choice is begun
  Form form_ = Form::alltoall;
  Asked asked_ = Asked::automatic;
  std::optional<OneShot> made_;  ///< where the environment asks for "auto"
  bool asks_ = false;
};

}  // namespace shunt::c
