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

#include "model/configuration.hpp"
#include "model/wisdom_file.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "mpi_calls/simulated.hpp"
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

/// Rank 0's. The other ranks wait for it, so nothing is thrown.
RecalledMessage own_message(const WisdomKey& key, Effort effort) noexcept {
  try {
    if (!may_learn()) return message_of({Effort::estimate, std::nullopt});
    return message_of({effort, recall(key, effort)});
  } catch (const std::exception&) {
    return {static_cast<std::int32_t>(effort), {}};
  }
}

/// A configuration that was remembered, by whatever version of Shunt. None: it is not understood.
std::optional<Configuration> read_remembered(const std::string& text, const Options& asked) {
  try {
    return read_configuration(text, asked);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Whether it is one of an algorithm that there is, and fits here.
bool is_usable(const Configuration& configuration, const Fits& fits) {
  try {
    return fits(configuration);
  } catch (const Error&) {
    return false;
  }
}

PlanChoice choice_of(const Configuration& configuration, const WisdomEntry& entry,
                     const Options& asked) {
  PlanChoice choice{configuration, {}, entry.effort, {}, entry.found};
  for (const Trial& trial : entry.trials) {
    if (const auto tried = read_remembered(trial.algorithm, asked)) {
      choice.trials.push_back({*tried, trial.seconds});
    }
  }
  return choice;
}

WisdomEntry entry_of(const PlanChoice& choice, const Options& asked) {
  WisdomEntry entry{
      configuration_text(choice.configuration, asked), seconds_of(choice), choice.effort, 0, {}};
  for (const Tried& tried : choice.trials) {
    entry.trials.push_back({configuration_text(tried.configuration, asked), tried.seconds});
  }
  return entry;
}

}  // namespace

Recalled recall_together(Context& context, const Question& question) {
  const Effort effort = question.options.effort;
  if (kSimulated) return {effort, std::nullopt};
  const WisdomKey key = wisdom_key(context, question);
  RecalledMessage message;
  if (context.rank() == 0) message = own_message(key, effort);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibcast(&message, sizeof message, MPI_BYTE, 0, context.comm(), &request),
            "MPI_Ibcast");
  context.progress.complete(request);
  return recalled_of(message);
}

PlanChoice recall_or_choose(Context& context, const Question& question, const Fits& fits,
                            const std::function<PlanChoice(Effort effort)>& choose) {
  const Recalled recalled = recall_together(context, question);
  if (recalled.entry) {
    const auto remembered = read_remembered(recalled.entry->algorithm, question.options);
    if (remembered && is_usable(*remembered, fits)) {
      return choice_of(*remembered, *recalled.entry, question.options);
    }
  }
  PlanChoice choice = choose(recalled.effort);
  choice.effort = recalled.effort;
  if (!kSimulated && context.rank() == 0 && !choice.trials.empty()) {
    remember(wisdom_key(context, question), entry_of(choice, question.options));
  }
  return choice;
}

}  // namespace shunt
