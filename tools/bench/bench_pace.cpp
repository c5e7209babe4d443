#include "tools/bench/bench_pace.hpp"

#include <fmt/format.h>

#include "tools/session/bench_common.hpp"

namespace shunt {

void BenchPace::add_to(Command command, const std::string& plural) {
  add_warm_up(command, warm_up);
  command
      .add_option("--batch", batch,
                  plural + " between two barriers, of which\nthe mean is one time")
      .shows_default()
      .between(1, 1000000);
  command.add_option("--rounds", rounds, "Times of each kind").shows_default().between(1, 1000000);
}

void BenchPace::apply_to(bench::ContestOptions& options) const {
  options.learning = warm_up;
  options.batch = batch;
  options.rounds = rounds;
}

void BenchPace::write_to(nlohmann::json& report) const {
  report["warm_up_calls"] = warm_up;
  report["batch_calls"] = batch;
  report["rounds"] = rounds;
}

std::string BenchPace::legend() const {
  std::string text = timing_legend(rounds);
  if (batch > 1) {
    text += fmt::format("round: the mean of {} that follow each other\n", batch);
  }
  return text;
}

}  // namespace shunt
