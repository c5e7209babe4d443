// The blocking mode of the exchange of records.
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "engine/record_exchange.hpp"
#include "engine/stage_runner.hpp"
#include "mpi_calls/mpi_call.hpp"

namespace shunt {

/// A stage in blocking mode: all messages are composed, and one travels each way at a time.
class RecordExchange::BlockingMessages final : public StageMessages {
 public:
  BlockingMessages(RecordExchange& exchange, std::size_t index)
      : exchange_(exchange), index_(index), stage_(exchange.stages_[index]) {
    std::size_t lane = 0;
    std::size_t inlet = 0;
    for (const Step& step : exchange.schedule_.steps[index]) {
      lane_of_step_.push_back(step.to == kNoRank ? kNone : lane++);
      inlet_of_step_.push_back(step.from == kNoRank ? kNone : inlet++);
    }
  }

  Posted post_receive(std::size_t step) override {
    const std::size_t inlet = inlet_of_step_[step];
    if (inlet == kNone || stage_.inlets[inlet].from == exchange_.context_.rank()) return {};
    const auto bytes = static_cast<Bytes>(stage_.format.packet_bytes());
    in_ = stage_.pool->take();
    const Peer from{stage_.inlets[inlet].from, stage_.tag, exchange_.context_.comm()};
    return {start_receive(in_.get(), bytes, from), bytes, true};
  }

  Posted received(std::size_t step, const MPI_Status& status) override {
    const std::size_t records = stage_.format.records_in(received_bytes(status));
    exchange_.arrive(index_, inlet_of_step_[step], std::move(in_), records);
    return records == stage_.format.capacity ? post_receive(step) : Posted{};
  }

  Posted post_send(std::size_t step) override {
    const std::size_t lane = lane_of_step_[step];
    if (lane == kNone || stage_.queued[lane].empty()) return {};
    Outbound& next = stage_.queued[lane].front();
    out_ = std::move(next.packet);
    const Bytes bytes = stage_.format.bytes_of(next.records);
    stage_.queued[lane].pop_front();
    const Peer to{stage_.targets[lane], stage_.tag, exchange_.context_.comm()};
    return {start_send(out_.get(), bytes, to), bytes, true};
  }

  Posted sent(std::size_t step) override {
    stage_.pool->give_back(std::move(out_));
    return post_send(step);
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  RecordExchange& exchange_;
  std::size_t index_;
  Stage& stage_;
  std::vector<std::size_t> lane_of_step_;
  std::vector<std::size_t> inlet_of_step_;
  Packet in_;
  Packet out_;
};

void RecordExchange::run_stage_blocking(std::size_t index) {
  BlockingMessages stage_messages(*this, index);
  run_blocking(schedule_.steps[index].size(), stage_messages, context_, schedule_.turns[index],
               stages_[index].tag);
}

}  // namespace shunt
