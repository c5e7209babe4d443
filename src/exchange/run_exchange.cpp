#include "exchange/run_exchange.hpp"

#include "exchange/block_exchange.hpp"
#include "exchange/direct_exchange.hpp"

namespace shunt {

Counters run_exchange(YardState& yard, const Schedule& schedule, const Options& options,
                      Bytes head_bytes, const SendBlocks& send, const ReceiveBlocks& receive) {
  if (schedule.steps.size() == 1) {
    return DirectExchange(yard, schedule, options, send, receive).run();
  }
  return BlockExchange(yard, schedule, options, head_bytes, send, receive).run();
}

}  // namespace shunt
