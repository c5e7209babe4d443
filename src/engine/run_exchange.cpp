#include "engine/run_exchange.hpp"

#include "engine/block_exchange.hpp"
#include "engine/direct_exchange.hpp"

namespace shunt {

Counters run_exchange(Context& context, const Schedule& schedule, const Options& options,
                      Bytes head_bytes, const SendBlocks& send, const ReceiveBlocks& receive) {
  if (schedule.steps.size() == 1) {
    return DirectExchange(context, schedule, options, send, receive).run();
  }
  return BlockExchange(context, schedule, options, head_bytes, send, receive).run();
}

}  // namespace shunt
