#include "bindings/c/exchange.hpp"

#include "bindings/agreed.hpp"
#include "bindings/c/agreement.hpp"
#include "bindings/c/dense_blocks.hpp"
#include "bindings/c/report.hpp"
#include "bindings/c/traced.hpp"
#include "bindings/c/usable.hpp"
#include "bindings/side_parts.hpp"
#include "collective/alltoallv/alltoallv.hpp"
#include "environment/environment.hpp"
#include "exchange/block_exchange.hpp"
#include "exchange/device_memory.hpp"
#include "exchange/mpi_call.hpp"
#include "model/sources.hpp"

namespace shunt::c {

namespace {

std::unique_ptr<TypedParts> sides_of(TypedSide send, TypedSide receive,
                                     TypedBlocks::Placement placement) {
  return std::make_unique<TypedParts>(std::make_unique<TypedBlocks>(std::move(send), placement),
                                      std::make_unique<TypedBlocks>(std::move(receive)));
}

/// The arguments in the terms of the engine: two sides that do not share memory. In place, blocks
/// that are not swapped leave from a packed copy; but what a broadcast sends it does not overwrite.
/// Otherwise takes the arguments away.
std::unique_ptr<TypedParts> sides_of(Prepared& prepared) {
  using enum TypedBlocks::Placement;
  Arguments& arguments = prepared.arguments;
  const TypedBlocks::Placement placement = arguments.overlap ? copied : in_place;
  if (arguments.broadcast) {
    TypedSide& given = arguments.send ? *arguments.send : arguments.receive;
    TypedSide own = given.without([&](Rank peer) { return peer != arguments.rank; });
    return sides_of(std::move(own), std::move(arguments.receive), placement);
  }
  if (arguments.send) {
    return sides_of(std::move(*arguments.send), std::move(arguments.receive), placement);
  }
  const Rank self = prepared.context->rank();
  const Rank ranks = prepared.context->ranks();
  const TypedSide rest = arguments.receive.without([&](Rank peer) {
    const Bytes bytes = arguments.receive.blocks()[static_cast<std::size_t>(peer)].bytes;
    return peer == self || (prepared.swaps() && is_long(bytes, ranks));
  });
  return sides_of(rest, rest, copied);
}

/// All that can be wrong about this rank's part.
Arguments read_all(const Call& call, const Environment& chosen, Context& context) {
  expect_usable(chosen, context, is_broadcast(call.form));
  Arguments arguments = read_arguments(call, context.rank(), context.ranks());
  if (arguments.fault) std::rethrow_exception(arguments.fault);
  if (!arguments.broadcast && chosen.options.algorithm != kNative) {
    expect_carried(context, one_shot_schedule(context, chosen.options), arguments.sent(),
                   arguments.receive.bytes());
  }
  return arguments;
}

/// With SHUNT_CHECK: what `read` returns, on all ranks or none.
template <class Read>
Arguments read_and_agree(const Context& context, Read&& read) {
  Attempt attempt(read);
  Part part{attempt.failure};
  if (attempt.made) {
    part.sent = attempt.made->sent();
    part.received = attempt.made->receive.bytes();
    part.in_place = !attempt.made->send && !attempt.made->broadcast;
  }
  agree(context, part);
  return *std::move(attempt.made);
}

Problem problem_of(const Prepared& prepared) {
  // Where the root is wrong, the rank has no blocks, and says so at the end.
  const bool has_root = 0 <= prepared.root && prepared.root < prepared.context->ranks();
  return {.kind = kind_of(prepared.form),
          .context = prepared.context,
          .options = prepared.options,
          .own = index_of(prepared.arguments.rank),
          .root = has_root ? prepared.root : 0};
}

/// By the `sides`, if they are made yet, which took the arguments away.
void choose(Choice& choice, const Call& call, const Prepared& prepared, const TypedParts* sides) {
  const Arguments& arguments = prepared.arguments;
  Context& context = *prepared.context;
  if (arguments.broadcast) {
    if (choice.is_begun()) return;
    choice.begin(context, call);
    return choice.go_on(
        [&] { return sides != nullptr ? sides->received() : arguments.receive.bytes(); });
  }
  if (!choice.is_begun()) choice.begin(context, call);
  choice.go_on([&] {
    return sides != nullptr
               ? call_traffic_of(*sides, arguments.rank)
               : call_traffic_of(arguments.sent(), arguments.receive.bytes(), arguments.rank);
  });
}

/// Whether the blocks are dense. What cannot be read is a fault, which others find again.
bool finds_dense(const Call& call, const Choice& choice, Context& context) {
  try {
    if (!read_dense(call, context, context.scratch.send_blocks, context.scratch.receive_blocks))
      return false;
    if (choice.may_be_native()) return true;
    expect_host_memory(call.send.buffer, "send");
    expect_host_memory(call.receive.buffer, "receive");
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Whether the lengths of a broadcast's blocks can be read.
bool finds_lengths(const Call& call, Rank ranks, std::vector<Bytes>& lengths) {
  try {
    if (!read_lengths(call, ranks, lengths)) return false;
    (void)totals_of(lengths);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Blocks that lie densely go from where they are, and nobody looks at them where MPI's function
/// makes the call. False for calls of other sorts, of which nothing was moved.
[[gnu::hot]] bool exchange_dense(const Call& call, Choice& choice) {
  const Environment& chosen = environment();
  if (is_broadcast(call.form) || chosen.check || chosen.options.memory != 0) return false;
  const std::shared_ptr<Context>& context = Context::known(call.comm);
  if (context == nullptr) return false;
  expect_usable(chosen, *context, false);
  choice.begin(*context, call);
  if (choice.is_native()) return true;
  SendBlocks& send = context->scratch.send_blocks;
  ReceiveBlocks& receive = context->scratch.receive_blocks;
  if (!finds_dense(call, choice, *context)) return false;
  choice.go_on([&] { return call_traffic_of(send.bytes, receive.bytes, context->rank()); });
  if (choice.is_native()) return true;
  PlainParts buffers(&send, &receive);
  run_once({.kind = kind_of(call.form),
            .context = context,
            .options = choice.way(chosen.options),
            .root = call.root},
           buffers);
  return true;
}

/// False unless MPI's function makes a broadcast, of which nobody looks at more than the lengths,
/// and at these where the ranks agree or calls are timed. A rank that cannot read them gives none.
bool leave_broadcast(const Call& call, Choice& choice) {
  const Environment& chosen = environment();
  if (!is_broadcast(call.form) || !choice.may_be_native()) return false;
  if (chosen.check || chosen.broadcast.memory != 0) return false;
  const std::shared_ptr<Context>& context = Context::known(call.comm);
  if (context == nullptr) return false;
  expect_usable(chosen, *context, true);
  choice.begin(*context, call);
  choice.go_on([&]() -> const std::vector<Bytes>& {
    std::vector<Bytes>& lengths = context->scratch.receive_blocks.bytes;
    if (!finds_lengths(call, context->ranks(), lengths))
      lengths.assign(index_of(context->ranks()), 0);
    return lengths;
  });
  return choice.is_native();
}

void exchange_any(const Call& call, Prepared& prepared, Choice& choice) {
  const bool swaps = prepared.swaps();
  // Where MPI's function cannot be called, what is packed counts, too.
  std::unique_ptr<TypedParts> sides;
  if (!choice.may_be_native()) sides = sides_of(prepared);
  choose(choice, call, prepared, sides.get());
  if (choice.is_native()) return;
  if (sides == nullptr) sides = sides_of(prepared);
  prepared.options = choice.way(prepared.options);
  run_once(problem_of(prepared), *sides);
  if (swaps) {
    PairExchange pairs(prepared.context, prepared.arguments.receive);
    pairs.start();
    pairs.wait();
  }
  if (prepared.arguments.fault) std::rethrow_exception(prepared.arguments.fault);
}

}  // namespace

Prepared prepare(const Call& call) {
  expect_communicator(call.comm);
  const Environment& chosen = environment();
  const bool broadcast = is_broadcast(call.form);
  const Options& options = broadcast ? chosen.broadcast : chosen.options;
  // Collective, so before anything that may be wrong on this rank alone.
  std::shared_ptr<Context> context = Context::of(call.comm);
  if (chosen.check) {
    Arguments arguments =
        read_and_agree(*context, [&] { return read_all(call, chosen, *context); });
    return {call.form, call.root, std::move(context), options, std::move(arguments)};
  }
  expect_usable(chosen, *context, broadcast);
  Arguments arguments = read_arguments(call, context->rank(), context->ranks());
  return {call.form, call.root, std::move(context), options, std::move(arguments)};
}

Prepared prepare_plan(const Call& call, const std::function<void()>& expect_more) {
  expect_communicator(call.comm);
  const Environment& chosen = environment();
  std::shared_ptr<Context> context = Context::of(call.comm);
  // Collective where the algorithm is new, so before what may be wrong on this rank alone.
  expect_usable(chosen, *context, is_broadcast(call.form));
  const auto read = [&] {
    expect_more();
    return read_all(call, chosen, *context);
  };
  Arguments arguments = chosen.check ? read_and_agree(*context, read) : agreed(*context, read);
  return {call.form, call.root, std::move(context),
          is_broadcast(call.form) ? chosen.broadcast : chosen.options, std::move(arguments)};
}

[[gnu::hot]] void exchange_once(const Call& call, Choice& choice) {
  if (exchange_dense(call, choice) || leave_broadcast(call, choice)) return;
  Prepared prepared = prepare(call);
  exchange_any(call, prepared, choice);
}

bool make_exchange(const Call& call, Failure& failure) noexcept {
  Choice choice(NativeCall::not_blocking);
  return succeeds(failure, [&] {
    exchange_once(call, choice);
    choice.end();
  });
}

PersistentExchange::PersistentExchange(const char* function, Prepared prepared) {
  trace_ = TracedPlan(*prepared.context, function, prepared.arguments.sent(),
                      row_kind(prepared.arguments.broadcast));
  const bool swaps = prepared.swaps();
  std::unique_ptr<TypedParts> sides = sides_of(prepared);
  plan_ = std::make_unique<Plan::Implementation>(prepared.context,
                                                 plan(problem_of(prepared), std::move(sides)));
  if (!swaps) return;
  pairs_ = std::make_unique<PairExchange>(prepared.context, prepared.arguments.receive);
}

void PersistentExchange::start() {
  trace_.start([&] {
    plan_->start();
    if (pairs_) pairs_->start();
  });
}

void PersistentExchange::wait() {
  trace_.go_on([&] {
    plan_->wait();
    if (pairs_) pairs_->wait();
  });
}

bool PersistentExchange::test() {
  return trace_.go_on([&] {
    const bool over = plan_->test();
    return (!pairs_ || pairs_->test()) && over;
  });
}

}  // namespace shunt::c
