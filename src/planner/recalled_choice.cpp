#include "planner/recalled_choice.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include <mpi.h>
#include <nlohmann/json.hpp>

#include "exchange/mpi_call.hpp"
#include "exchange/simulated.hpp"
#include "model/way_text.hpp"
#include "model/wisdom_file.hpp"
#include "planner/process_wisdom.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// In one message of a known length: which effort, and an entry as in a file; none if it is empty,
/// as where rank 0 cannot tell what it remembers.
struct RecalledMessage {
  std::int32_t effort = 0;
  std::array<char, 2044> entry{};
};

RecalledMessage message_of(const Recalled& recalled) {
  RecalledMessage message;
  message.effort = static_cast<std::int32_t>(recalled.effort);
  if (!recalled.entry) return message;
  WisdomEntry entry = *recalled.entry;
  std::string text = entry_json(entry).dump();
  for (; text.size() >= message.entry.size(); text = entry_json(entry).dump()) {
    if (entry.trials.empty()) return message;
    entry.trials.pop_back();
  }
  std::ranges::copy(text, message.entry.begin());
  return message;
}

Recalled recalled_of(const RecalledMessage& message) {
  Recalled recalled{static_cast<Effort>(message.effort), std::nullopt};
  if (message.entry.front() == '\0') return recalled;
  const auto object = nlohmann::json::parse(message.entry.data());
  recalled.entry = entry_of(JsonObject("what rank 0 remembers", object));
  return recalled;
}

Recalled own_memory(const WisdomKey& key, Effort effort) {
  if (!may_learn()) return {Effort::estimate, std::nullopt};
  return {effort, recall(key, effort)};
}

/// Rank 0's. The other ranks wait for it, so nothing is thrown.
RecalledMessage own_message(const WisdomKey& key, Effort effort) noexcept {
  try {
    return message_of(own_memory(key, effort));
  } catch (const std::exception&) {
    return {static_cast<std::int32_t>(effort), {}};
  }
}

Recalled tell(const Context& context, const WisdomKey& key, Effort effort) {
  RecalledMessage message;
  if (context.rank() == 0) message = own_message(key, effort);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibcast(&message, sizeof message, MPI_BYTE, 0, context.comm(), &request),
            "MPI_Ibcast");
  context.complete(request);
  return recalled_of(message);
}

/// Whether a way that was remembered, by whatever version of Shunt, is understood and fits here.
bool usable(const std::string& way, const Options& asked,
            const std::function<bool(const Options& way)>& fits) {
  try {
    return fits(read_way(way, asked));
  } catch (const Error&) {
    return false;
  }
}

WisdomKey key_of(Context& context, const Question& question) {
  return wisdom_key(context, question.kind, question.options, question.traffic);
}

}  // namespace

Recalled recall_together(Context& context, const Question& question) {
  if (kSimulated) return {question.options.effort, std::nullopt};
  return tell(context, key_of(context, question), question.options.effort);
}

PlanChoice recall_or_choose(Context& context, const Question& question,
                            const std::function<bool(const Options& way)>& fits,
                            const std::function<PlanChoice(Effort effort)>& choose) {
  const Recalled recalled = recall_together(context, question);
  if (recalled.entry && usable(recalled.entry->algorithm, question.options, fits)) {
    const WisdomEntry& entry = *recalled.entry;
    return {entry.algorithm, entry.trials, entry.effort, {}, entry.found};
  }
  PlanChoice choice = choose(recalled.effort);
  choice.effort = recalled.effort;
  if (!kSimulated && context.rank() == 0 && !choice.trials.empty()) {
    remember(key_of(context, question),
             {choice.algorithm, seconds_of(choice), choice.effort, 0, choice.trials});
  }
  return choice;
}

}  // namespace shunt
