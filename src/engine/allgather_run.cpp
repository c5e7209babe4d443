#include "engine/allgather_run.hpp"

#include <utility>

#include "engine/broadcast_channel.hpp"

namespace shunt {

namespace {

/// The packed message that begins at `packed`, to or from its pieces.
template <class Add>
void for_each_piece(const RouteMessage& message, std::byte* packed, Add&& add) {
  for (const Run& piece : message.pieces) {
    add(piece, packed);
    packed += piece.length;
  }
}

/// What brings the own block to its place.
std::vector<Copy> own_copies(const Context& context, const AllgatherBlocks& blocks) {
  std::byte* const place = blocks.receive.block(static_cast<std::size_t>(context.rank()));
  if (blocks.own.empty() || blocks.own.data() == place) return {};
  return {{blocks.own.data(), place, std::ssize(blocks.own)}};
}

/// Bytes that a run of one-shot all-gathers may keep between them. With a limit of memory it has
/// none, since then nothing is packed.
constexpr Bytes kMostKept = 32768;

}  // namespace

RouteKind route_kind(Context& context, const Options& options) {
  const bool packs = options.memory == 0;
  if (options.mode == Mode::blocking) return {RouteWay::blocking, packs};
  const bool shares = options.shared_memory && context.node().shares();
  return {shares ? RouteWay::broadcast_buffers : RouteWay::straight, packs};
}

AllgatherRun::AllgatherRun(const std::shared_ptr<Context>& context,
                           std::shared_ptr<const AllgatherRoute> route,
                           std::shared_ptr<BroadcastBuffers> broadcast_buffers,
                           const Options& options, const AllgatherBlocks& blocks)
    : PlanRun(context, options),
      route_(std::move(route)),
      own_(blocks.own.data()),
      receive_(blocks.receive.base) {
  counters = route_->counted;
  if (route_->longest_published > 0) {
    auto made = std::make_unique<BroadcastChannel>(std::move(broadcast_buffers), route_, blocks);
    counters.peak_shared = made->payload();
    broadcast_channel_ = made.get();
    channel = std::move(made);
  }
  const int tag = context->draw_tag();
  buffers->provide(options.mode, counters.peak_send_buffer, counters.peak_receive_buffer, 0);
  counters.memory = buffers->capacity();
  for (std::size_t stage = 0; stage < route_->stages.size(); ++stage) {
    stages.push_back(std::make_unique<PlanStage>(context->comm(), tag));
    lay_out(stage, blocks);
  }
  stages.front()->own_copies = own_copies(*context, blocks);
}

bool AllgatherRun::renew(const Options& wanted, const AllgatherBlocks& blocks) {
  if (wanted.mode != options().mode || wanted.window != options().window) return false;
  if (blocks.own.data() != own_ || blocks.receive.base != receive_) {
    if (!route_->all_published) return false;
    own_ = blocks.own.data();
    receive_ = blocks.receive.base;
    broadcast_channel_->move_to(blocks);
    stages.front()->own_copies = own_copies(context(), blocks);
  }
  const int tag = context().draw_tag();
  for (const auto& stage : stages) stage->stage_messages.set_tag(tag);
  return true;
}

void AllgatherRun::lay_out(std::size_t stage, const AllgatherBlocks& blocks) {
  const RouteStage& route = route_->stages[stage];
  PlanStage& planned = *stages[stage];
  planned.turns = route.turns;
  std::vector<std::vector<Copy>> copies_of_steps(route.steps.size());
  planned.stage_messages.on_arrival = [this, stage](std::size_t step) { on_arrival(stage, step); };
  std::byte* const receive = blocks.receive.base;
  const std::byte* const from = stage == 0 ? blocks.own.data() : receive;
  std::byte* out_at = buffers->send[dual() ? stage % 2 : 0].provide(0);
  std::byte* in_at = buffers->receive.provide(0);
  for (const auto& [out, in] : route.steps) {
    ExactStep& exact = planned.stage_messages.steps().emplace_back();
    if (out.bytes > 0) {
      exact.out = {out.peer, out.is_packed() ? out_at : from + out.pieces.front().offset, out.bytes,
                   out.type.get()};
    }
    if (out.is_packed()) {
      for_each_piece(out, out_at, [&](const Run& piece, std::byte* packed) {
        planned.packing.push_back({from + piece.offset, packed, piece.length});
      });
      out_at += out.bytes;
    }
    if (in.bytes > 0) {
      exact.in = {in.peer, in.is_packed() ? in_at : receive + in.pieces.front().offset, in.bytes,
                  in.type.get()};
    }
    if (in.is_packed()) {
      std::vector<Copy>& copies = copies_of_steps[planned.stage_messages.steps().size() - 1];
      for_each_piece(in, in_at, [&](const Run& piece, const std::byte* packed) {
        copies.push_back({packed, receive + piece.offset, piece.length});
      });
      in_at += in.bytes;
    }
  }
  planned.copies = CopyLists(copies_of_steps);
  planned.stage_messages.prepare();
}

Counters run_once(Context& context, KeptAllgather& kept,
                  const std::shared_ptr<BroadcastBuffers>& broadcast_buffers,
                  const Options& options, const AllgatherBlocks& blocks) {
  // Kept again once it has come to its end: what an error has left under way goes with the run.
  std::shared_ptr<AllgatherRun> run = std::exchange(kept.run, nullptr);
  if (run == nullptr || !run->renew(options, blocks)) {
    // The context will own it, and not the other way round.
    const std::shared_ptr<Context> unowned(std::shared_ptr<Context>(), &context);
    run = std::make_shared<AllgatherRun>(unowned, kept.route, broadcast_buffers, options, blocks);
  }
  run->start();
  run->wait();
  Counters counters = run->counters;
  if (counters.memory <= kMostKept) kept.run = std::move(run);
  return counters;
}

}  // namespace shunt
