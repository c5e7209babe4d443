#include "exchange/direct_exchange.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

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
  copy_own();
  ExactCargo cargo(yard_.comm(), tag_);
  add_messages(cargo);
  if (options_.mode == Mode::blocking) {
    run_blocking(cargo.steps().size(), cargo, yard_);
    return counters;
  }
  const Sharing ending(sharing_);
  run_non_blocking(cargo);
  if (sharing_ != nullptr) counters.peak_shared = sharing_->packed();
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

void DirectExchange::copy_own() const {
  const auto own = static_cast<std::size_t>(yard_.rank());
  if (send_.bytes[own] != receive_.bytes[own]) {
    throw Error(ErrorKind::truncated,
                fmt::format("rank {} sends itself {} bytes and expects {}", yard_.rank(),
                            send_.bytes[own], receive_.bytes[own]));
  }
  if (send_.bytes[own] == 0) return;
  std::memcpy(receive_.block(own), send_.block(own), static_cast<std::size_t>(send_.bytes[own]));
}

bool DirectExchange::goes_shared(Rank peer, Bytes bytes) const {
  return sharing_ != nullptr && yard_.node().place_of(peer) && sharing_->takes(bytes);
}

void DirectExchange::add_messages(ExactCargo& cargo) {
  for (const Step& step : steps_) {
    ExactStep exact;
    if (step.to != kNoRank && step.to != yard_.rank()) {
      const auto to = static_cast<std::size_t>(step.to);
      if (send_.bytes[to] > 0 && !goes_shared(step.to, send_.bytes[to])) {
        exact.to = step.to;
        exact.send = send_.block(to);
        exact.send_bytes = send_.bytes[to];
      }
    }
    if (step.from != kNoRank && step.from != yard_.rank()) {
      const auto from = static_cast<std::size_t>(step.from);
      if (receive_.bytes[from] > 0 && !goes_shared(step.from, receive_.bytes[from])) {
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
  yard_.advance_to_end([&](bool wait) {
    const bool all_taken = sharing_ == nullptr || take_shared();
    const bool all_through = runner.advance(wait && all_taken);
    if (wait && !all_taken) yard_.relax();
    return all_taken && all_through;
  });
}

bool DirectExchange::take_shared() {
  return sharing_->take([this](Rank from, Bytes expected, const SharedMessage& told) {
    if (told.offset < 0) discard(from, told.length);
    throw wrong_length(from, expected);
  });
}

void DirectExchange::discard(Rank from, Bytes bytes) const {
  // All of it: Open MPI 4.1 writes a long message that is cut off past the end of its buffer.
  ByteBuffer nowhere;
  yard_.complete(start_receive(nowhere.provide(bytes), bytes, {from, tag_, yard_.comm()}));
}

void DirectExchange::begin_sharing() {
  yard_.advance_to_end([&](bool wait) {
    if (sharing_->has_room()) return true;
    if (wait) yard_.relax();
    return false;
  });
  const Node& node = yard_.node();
  for (std::size_t peer = 0; peer < node.ranks().size(); ++peer) {
    const auto rank = static_cast<std::size_t>(node.ranks()[peer]);
    if (peer != node.place()) sharing_->tell(peer, send_.block(rank), send_.bytes[rank]);
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
