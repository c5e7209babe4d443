#include "bindings/c/call_buffers.hpp"

#include "bindings/c/dense_blocks.hpp"
#include "bindings/c/pair_exchange.hpp"
#include "context/device_memory.hpp"
#include "model/sources.hpp"

namespace shunt::c {

bool are_swapped(const Arguments& arguments, const Options& options) {
  return !arguments.send && !arguments.allgather && options.memory == 0;
}

std::unique_ptr<TypedParts> typed_parts(Arguments& arguments, Rank ranks, bool swapped) {
  using enum TypedBlocks::Placement;
  const Rank self = arguments.rank;
  const TypedBlocks::Placement placement = arguments.overlap ? copied : in_place;
  if (arguments.allgather) {
    TypedSide& given = arguments.send ? *arguments.send : arguments.receive;
    TypedSide own = given.without([&](Rank peer) { return peer != self; });
    return std::make_unique<TypedParts>(std::move(own), std::move(arguments.receive), placement);
  }
  if (arguments.send) {
    return std::make_unique<TypedParts>(std::move(*arguments.send), std::move(arguments.receive),
                                        placement);
  }
  const TypedSide rest = arguments.receive.without([&](Rank peer) {
    const Bytes bytes = arguments.receive.blocks()[index_of(peer)].bytes;
    return peer == self || (swapped && is_long(bytes, ranks));
  });
  return std::make_unique<TypedParts>(rest, rest, copied);
}

/// What cannot be read is a fault, which `arguments` finds again.
[[gnu::hot]] bool CallBuffers::finds_dense() {
  if (dense_) return true;
  if (arguments_) return false;
  SendBlocks& send = context_->scratch.send_blocks;
  ReceiveBlocks& receive = context_->scratch.receive_blocks;
  try {
    if (!read_dense(call_, *context_, send, receive)) return false;
    // Callers that can call MPI's own function have asked whose memory it is.
    if (native_ == NativeCall::not_blocking) {
      expect_host_memory(call_.send.buffer, "send");
      expect_host_memory(call_.receive.buffer, "receive");
    }
  } catch (const Error&) {
    return false;
  }
  dense_.emplace(&send, &receive);
  return true;
}

bool CallBuffers::finds_lengths(std::vector<Bytes>& lengths) const {
  try {
    if (!read_lengths(call_, context_->ranks(), lengths)) return false;
    (void)totals_of(lengths);
    return true;
  } catch (const Error&) {
    return false;
  }
}

Arguments& CallBuffers::arguments() {
  if (!arguments_) arguments_ = read_arguments(call_, context_->rank(), context_->ranks());
  return *arguments_;
}

CallTraffic CallBuffers::traffic_for(const Collective& kind) {
  const Rank own = context_->rank();
  if (kind.all_know_lengths()) {
    std::vector<Bytes>& lengths = context_->scratch.receive_blocks.bytes;
    if (!finds_lengths(lengths)) lengths.assign(index_of(context_->ranks()), 0);
    return kind.traffic_of(lengths, lengths, own);
  }
  // What is packed counts where nobody else can make the call.
  if (native_ == NativeCall::as_it_came && !finds_dense()) {
    return kind.traffic_of(arguments().sent(), arguments().receive.bytes(), own);
  }
  const BlockParts& made = parts();
  CallTraffic traffic = kind.traffic_of(made.sent(), made.received(), own);
  traffic.packing = made.packing();
  return traffic;
}

[[gnu::hot]] BlockParts& CallBuffers::parts() {
  if (finds_dense()) return *dense_;
  if (typed_ == nullptr) {
    Arguments& given = arguments();
    typed_ = typed_parts(given, context_->ranks(), are_swapped(given, options_));
  }
  return *typed_;
}

void CallBuffers::swap_long_blocks() {
  if (!arguments_ || !are_swapped(*arguments_, options_)) return;
  PairExchange pairs(context_, arguments_->receive);
  pairs.start();
  pairs.wait();
}

void CallBuffers::expect_no_fault() const {
  if (arguments_ && arguments_->fault) std::rethrow_exception(arguments_->fault);
}

}  // namespace shunt::c
