// Exchange of single records in any order: composed in one scan, no counts exchanged before.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "context/context.hpp"
#include "engine/record_lanes.hpp"
#include "engine/record_output.hpp"
#include "mpi_calls/request_set.hpp"
#include "shunt/counters.hpp"
#include "shunt/options.hpp"
#include "shunt/records.hpp"

namespace shunt {

/// An exchange of records. A message travels as packets: full ones until one that is not full ends
/// it. In the non-blocking modes packets leave while the rest is still being composed. In
/// dual-buffer mode the records of each arriving packet go into the next stage's messages at once,
/// so that all stages overlap. In single-buffer mode a stage is composed when the one before has
/// arrived. In blocking mode, in addition, nothing leaves before all is composed, and messages go
/// step by step after a barrier.
class RecordExchange {
 public:
  /// Where the records are to go: a function, or one rank per record. The function is called again
  /// on every rank that a record passes; ranks travel with their records.
  struct Destinations {
    const RecordClassifier* classifier = nullptr;
    std::span<const Rank> ranks;
  };

  RecordExchange(Context& context, const Schedule& schedule, const Options& options,
                 const RecordShape& shape, const Destinations& destinations);

  /// Collective. `records` is a whole number of records.
  RawBuffer run(std::span<const std::byte> records, Counters& counters);

 private:
  /// A message that this rank receives.
  struct Inlet {
    Rank from;
    Bytes payload = 0;
  };

  /// A packet that is ready to be sent.
  struct Outbound {
    Packet packet;
    std::size_t records;
  };

  struct Stage {
    std::vector<Rank> targets;  ///< in the order of the steps
    std::vector<Inlet> inlets;  ///< in the order of the steps
    PacketFormat format{};
    PacketPool* pool = nullptr;  ///< the communicator's, shared by stages of one packet size
    std::unique_ptr<RecordLanes> lanes;
    std::vector<std::deque<Outbound>> queued;  ///< by lane; blocking mode
    std::vector<Outbound> kept;  ///< arrived, to be sorted into messages when the stage is over
    std::size_t open_inlets = 0;
    std::size_t own_inlet = 0;  ///< of the message to oneself, if there is one
    std::size_t flying = 0;     ///< packets being sent
    int tag = 0;
  };

  /// What a request is for.
  struct Work {
    std::size_t stage;
    std::size_t lane;  ///< or inlet
    bool receives;
    Packet packet;              ///< null: received straight into the output,
    std::byte* slot = nullptr;  ///< here
  };

  class BlockingMessages;

  void set_up(std::size_t stage);
  void compose_first(std::span<const std::byte> records);
  void classify(const std::byte* records, std::size_t first, std::size_t count);
  void run_stage(std::size_t stage);
  void run_stage_blocking(std::size_t stage);
  void begin_receives(std::size_t stage);
  void post_receive(std::size_t stage, std::size_t inlet);
  void ship(std::size_t stage, std::size_t lane, Packet packet, std::size_t records);
  void arrive(std::size_t stage, std::size_t inlet, Packet packet, std::size_t records);
  void deal_out(std::size_t stage, const std::byte* packet, std::size_t records);
  void count_arrival(std::size_t stage, std::size_t inlet, std::size_t records);
  /// Handles requests that are complete. Waits for one unless other runs are active, with which it
  /// makes progress instead.
  void progress();
  [[nodiscard]] bool is_last(std::size_t stage) const { return stage + 1 == stages_.size(); }
  [[nodiscard]] bool dual() const { return options_.mode == Mode::dual_buffer; }
  [[nodiscard]] bool blocking() const { return options_.mode == Mode::blocking; }

  Context& context_;
  const Schedule& schedule_;
  Options options_;
  std::size_t record_bytes_;
  Destinations destinations_;
  std::vector<Stage> stages_;
  std::vector<char> allowed_;  ///< by rank: whether this rank may send to it
  RequestSet<Work> requests_;
  std::vector<Rank> ranks_;  ///< destinations of the records in hand
  RecordOutput output_;
};

}  // namespace shunt
