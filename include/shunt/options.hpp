// What a caller may choose for one exchange or plan.
#pragma once

#include <string>

#include "shunt/types.hpp"

namespace shunt {

/// The name in place of an algorithm's that leaves the choice to Shunt.
inline constexpr const char* kAuto = "auto";

/// The name of the MPI library's own collective.
inline constexpr const char* kNative = "native";

/// How a stage's messages are posted (Liu 2002, Section 3.4).
enum class Mode {
  /// One message out and one in at a time, stages separated by a barrier. An algorithm that spares
  /// the ports of nodes then keeps to it strictly: a token goes round in each node, and whoever has
  /// it exchanges with another node. In the other modes such an algorithm gives the order alone.
  blocking,
  /// Non-blocking; one send buffer, so a stage is packed after the previous stage's sends are done.
  single_buffer,
  /// Non-blocking; two send buffers, so arriving data is packed for the next stage at once.
  dual_buffer
};

/// "blocking", "single", "dual": the names that the command and the documentation use.
[[nodiscard]] constexpr const char* name_of(Mode mode) {
  switch (mode) {
    case Mode::blocking:
      return "blocking";
    case Mode::single_buffer:
      return "single";
    case Mode::dual_buffer:
      return "dual";
  }
  return "";
}

/// How much planning may take to find the fastest way of an exchange. What is found by measuring is
/// remembered, also for the next programs; what is remembered from as much effort or more is taken
/// without measuring again.
enum class Effort {
  /// What the models expect to be the fastest. Nothing is run.
  estimate,
  /// The likely algorithms, and MPI's own collective, are run a few times: some dozens of
  /// exchanges.
  measure,
  /// More algorithms and parameters, more often: some hundreds of exchanges.
  patient
};

inline constexpr Effort kEfforts[] = {Effort::estimate, Effort::measure, Effort::patient};

/// "estimate", "measure", "patient": likewise.
[[nodiscard]] constexpr const char* name_of(Effort effort) {
  switch (effort) {
    case Effort::estimate:
      return "estimate";
    case Effort::measure:
      return "measure";
    case Effort::patient:
      return "patient";
  }
  return "";
}

/// How many messages and bytes a rank keeps under way in each direction at once. At least one
/// message is always under way, however long it is. Neither number is negative.
struct Window {
  int messages = 64;
  Bytes bytes = Bytes{256} << 20;

  friend bool operator==(const Window&, const Window&) = default;
};

struct Options {
  /// Name of an algorithm as `shunt algorithms` lists it, with its parameter after a colon
  /// ("a4", "stages:3", "stages:4x4x4"). "auto" leaves the choice to the planner.
  std::string algorithm = "auto";

  Mode mode = Mode::dual_buffer;

  /// Blocks are cut in multiples of this many bytes, at least 1, and a block of at most this many
  /// is never cut.
  Bytes grain = 512;

  Window window{};

  /// Whether messages between ranks of one node go through memory that they share instead of MPI:
  /// those of plans and of one-shot exchanges, but not records. They never do in blocking mode.
  bool shared_memory = true;

  /// Bytes of the packets in which a longer message goes through MPI, where both its ends know its
  /// length: in plans, and in one-shot exchanges of one stage; not in blocking mode. 0: messages
  /// are not cut. Over TCP an MPI library sends packets of up to its eager limit (often 64 KiB)
  /// without asking the receiver first. An algorithm that spares the ports of nodes then keeps its
  /// order: a few steps of a node's ranks are under way at a time.
  Bytes packet = 0;

  /// What "auto" does to choose. One-shot calls try what is fastest as they come, which takes a
  /// twentieth of their time and some calls' at the beginning; with `estimate` they do not, and so
  /// are made alike in every run: exchanges straight, broadcasts as the model expects.
  Effort effort = Effort::measure;

  /// The most bytes of buffers, beside the user's memory, that one exchange or plan uses or keeps
  /// on a rank; 0: no limit. The same on all ranks. "auto" then leaves out what does not fit; where
  /// an algorithm's bound is above the limit the exchange is made in parts, one after the other,
  /// each with a part of every block, and if need be with a finer grain. Throws Error(argument)
  /// where parts of 16 bytes do not fit either. Counted (`Counters::memory`) are: buffers that are
  /// sent from and received in, with tables of contents in front of messages; packed copies of
  /// elements with gaps; packets of redistributions. Not counted: what is of fixed size for a
  /// communicator (memory shared with the node), lists of what goes where (schedules, copies,
  /// tables of contents once they are read), MPI's own memory, and exchanges of records, which take
  /// no limit.
  Bytes memory = 0;

  /// Whether messages of 8 KiB and more between ranks of one node are copied once instead of twice:
  /// by the receiver, straight from the sender's memory. That needs shared memory, and a system
  /// that lets processes read each other's (process_vm_readv); where it does not, all messages go
  /// through MPI. Plans of several stages do without.
  bool single_copy = false;
};

}  // namespace shunt
