#include "model/trace_builder.hpp"

#include <algorithm>

namespace shunt {

void TraceBuilder::add(const MatrixKey& matrix, std::string_view function, double slowest,
                       double fastest) {
  const auto [found, is_new] = known_.emplace(matrix, known_.size());
  if (is_new) first_calls_.push_back(number_);
  ++number_;
  const TraceCall call{found->second, 1, slowest, fastest, std::string(function)};
  const auto first = first_runs_.find({call.matrix, call.function});
  if (calls_.size() < most_runs_ || first == first_runs_.end()) {
    append_call(calls_, call);
    first_runs_.emplace(std::pair(call.matrix, call.function), calls_.size() - 1);
    return;
  }
  TraceCall& run = calls_[first->second];
  ++run.repeats;
  run.seconds += slowest;
  run.fastest += fastest;
}

void TraceBuilder::cut(std::size_t matrices) {
  const auto beyond = [=](const TraceCall& call) { return call.matrix >= matrices; };
  calls_.erase(std::ranges::find_if(calls_, beyond), calls_.end());
  first_calls_.resize(std::min(first_calls_.size(), matrices));
}

}  // namespace shunt
