#include "exchange/direct_exchange.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "exchange/copies.hpp"
#include "exchange/mpi_call.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// Ends an exchange through shared memory however it ends.
class Sharing {
 public:
  explicit Sharing(KeptSharing* sharing) : sharing_(sharing) {
    if (sharing_ != nullptr) sharing_->begin();
  }
  Sharing(const Sharing&) = delete;
  Sharing& operator=(const Sharing&) = delete;
  ~Sharing() {
    if (sharing_ != nullptr) sharing_->finish();
  }

 private:
  KeptSharing* sharing_;
};

}  // namespace

DirectExchange::DirectExchange(YardState& yard, const Schedule& schedule, const Options& options,
                               const SendBlocks& send, const ReceiveBlocks& receive)
    : yard_(yard),
      steps_(schedule.steps.front()),
      options_(options),
      send_(send),
      receive_(receive),
      tag_(yard.draw_tag()),
      sharing_(options.shared_memory && options.mode != Mode::blocking ? yard.kept_sharing()
                                                                       : nullptr) {}

Counters DirectExchange::run() {
  Counters counters;
  count(counters.stages);
  check_own();
  ExactCargo cargo(yard_.comm(), tag_);
  add_messages(cargo);
  if (options_.mode == Mode::blocking) {
    copy_own();
    run_blocking(cargo.steps().size(), cargo, yard_);
    return counters;
  }
  const Sharing ending(sharing_);
  run_non_blocking(cargo);
  if (sharing_ != nullptr) counters.peak_shared = sharing_->payload();
  return counters;
}

void DirectExchange::count(std::vector<StageCounters>& stages) const {
  StageCounters& counted = stages.emplace_back();
  for (const Bytes bytes : send_.bytes) {
    if (bytes > 0) ++counted.messages_sent;
  }
  for (const Bytes bytes : receive_.bytes) {
    if (bytes == 0) continue;
    ++counted.messages_received;
    counted.longest_received = std::max(counted.longest_received, bytes);
    counted.received += bytes;
  }
}

void DirectExchange::check_own() const {
  const auto own = static_cast<std::size_t>(yard_.rank());
  if (send_.bytes[own] != receive_.bytes[own]) {
    throw Error(ErrorKind::truncated,
                fmt::format("rank {} sends itself {} bytes and expects {}", yard_.rank(),
                            send_.bytes[own], receive_.bytes[own]));
  }
}

void DirectExchange::copy_own() const {
  const auto own = static_cast<std::size_t>(yard_.rank());
  copy_bytes(receive_.block(own), send_.block(own), send_.bytes[own]);
}

bool DirectExchange::goes_shared(Rank peer) const {
  return sharing_ != nullptr && yard_.node().place_of(peer);
}

void DirectExchange::add_messages(ExactCargo& cargo) {
  for (const Step& step : steps_) {
    ExactStep exact;
    if (step.to != kNoRank && step.to != yard_.rank()) {
      const auto to = static_cast<std::size_t>(step.to);
      if (send_.bytes[to] > 0 && !goes_shared(step.to)) {
        exact.to = step.to;
        exact.send = send_.block(to);
        exact.send_bytes = send_.bytes[to];
      }
    }
    if (step.from != kNoRank && step.from != yard_.rank()) {
      const auto from = static_cast<std::size_t>(step.from);
      if (receive_.bytes[from] > 0 && !goes_shared(step.from)) {
        exact.from = step.from;
        exact.receive = receive_.block(from);
        exact.receive_bytes = receive_.bytes[from];
      }
    }
    if (exact.send_bytes > 0 || exact.receive_bytes > 0) cargo.steps().push_back(exact);
  }
}

void DirectExchange::run_non_blocking(ExactCargo& cargo) {
  StageRunner runner;
  runner.begin(cargo.steps().size(), options_.window, cargo, false);
  if (sharing_ != nullptr) begin_sharing();
  copy_own();
  // The others still have to get their messages from this rank, so it ends the exchange first.
  std::optional<Error> disagreement;
  auto disagree = [&disagreement](Rank from, Bytes expected) {
    disagreement = wrong_length(from, expected);
  };
  yard_.advance_to_end([&](bool wait) {
    const bool all_shared = sharing_ == nullptr || sharing_->advance(disagree);
    const bool all_through = runner.advance(wait && all_shared);
    if (wait && !all_shared && !sharing_->moved()) yard_.relax();
    return all_shared && all_through;
  });
  if (disagreement) throw *disagreement;
}

void DirectExchange::begin_sharing() {
  yard_.advance_to_end([&](bool wait) {
    if (sharing_->has_room()) return true;
    if (wait) yard_.relax();
    return false;
  });
  const Node& node = yard_.node();
  for (const Step& step : steps_) {
    if (step.to == kNoRank || step.to == yard_.rank()) continue;
    const auto to = static_cast<std::size_t>(step.to);
    const std::optional<std::size_t> peer = node.place_of(step.to);
    if (peer) sharing_->tell(*peer, send_.block(to), send_.bytes[to]);
  }
  sharing_->publish();
  for (const Step& step : steps_) {
    if (step.from == kNoRank || step.from == yard_.rank()) continue;
    const auto from = static_cast<std::size_t>(step.from);
    const std::optional<std::size_t> peer = node.place_of(step.from);
    if (!peer || receive_.bytes[from] == 0) continue;
    sharing_->expect(*peer, step.from, receive_.block(from), receive_.bytes[from]);
  }
}

}  // namespace shunt
