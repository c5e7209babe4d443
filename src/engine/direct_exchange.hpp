// A one-shot exchange of ordered blocks by an algorithm of one stage: every block goes straight to
// its rank, so nothing has to be packed, labelled or followed.
#pragma once

#include <vector>

#include "context/blocks.hpp"
#include "context/context.hpp"
#include "engine/exact_messages.hpp"
#include "engine/node_stages.hpp"
#include "engine/stage_runner.hpp"
#include "shunt/counters.hpp"
#include "shunt/options.hpp"

namespace shunt {

class DirectExchange {
 public:
  /// Everything referred to must outlive the exchange.
  DirectExchange(Context& context, const Schedule& schedule, const Options& options,
                 const SendBlocks& send, const ReceiveBlocks& receive);

  /// Collective. Throws Error(truncated) where the ranks' counts do not agree.
  Counters run();

 private:
  void copy_own() const;
  [[nodiscard]] Counters count() const;
  void add_messages(ExactMessages& stage_messages);
  Counters run_non_blocking(ExactMessages& stage_messages);

  Context& context_;
  const Schedule& schedule_;
  const std::vector<Step>& steps_;
  const std::vector<TokenTurn>& turns_;
  const Options& options_;
  const SendBlocks& send_;
  const ReceiveBlocks& receive_;
  int tag_;
  NodeStages node_;
};

}  // namespace shunt
