// What a caller may choose for one call or plan.
#pragma once

#include <string>

#include "shunt/types.hpp"

namespace shunt {

/// Given as Options::algorithm, leaves the choice to Shunt.
inline constexpr const char* kAuto = "auto";

/// Given as Options::algorithm, takes the MPI library's own collective.
inline constexpr const char* kNative = "native";

/// How the messages of a stage are posted (Liu 2002, Section 3.4).
enum class Mode {
  /// One message out and one in at a time, after a barrier in each stage. Where an algorithm has a
  /// node exchange with one other node at a time, this is then enforced: a token goes round the
  /// ranks of a node, and the rank that has it exchanges with another node. In the other modes such
  /// an algorithm gives the order alone.
  blocking,
  /// Non-blocking, with one send buffer: a stage is packed when the previous stage's sends are
  /// done.
  single_buffer,
  /// Non-blocking, with two send buffers: arriving data is packed for the next stage at once.
  dual_buffer
};

/// Returns the name of `mode` in the command, the environment and the documentation: "blocking",
/// "single" or "dual". Empty for a number that is no Mode.
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

/// How much "auto" may try to find the fastest configuration. What is found by measuring is
/// remembered, also for later programs; what was found with the same effort or more is taken
/// without measuring again.
enum class Effort {
  /// Takes what the models expect to be fastest. Nothing is run.
  estimate,
  /// Runs the likely algorithms, and MPI's own collective, a few times: some dozens of exchanges.
  measure,
  /// Runs more algorithms and parameters, and runs them more often: some hundreds of exchanges.
  patient
};

/// All efforts, from the least to the most.
inline constexpr Effort kEfforts[] = {Effort::estimate, Effort::measure, Effort::patient};

/// Returns the name of `effort` in the command, the environment and the documentation: "estimate",
/// "measure" or "patient". Empty for a number that is no Effort.
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

/// How many messages and bytes a rank keeps under way in each direction at a time. One message is
/// always allowed, however long it is.
struct Window {
  int messages = 64;               ///< the most messages, at least 0
  Bytes bytes = Bytes{256} << 20;  ///< the most bytes of these messages, at least 0

  /// Returns whether both numbers are equal.
  friend bool operator==(const Window&, const Window&) = default;
};

/// The options of one call or plan. All ranks give equal options. Calls throw Error(argument) where
/// a field breaks its rule.
struct Options {
  /// An algorithm's name or alias as `shunt algorithms` lists it, or for an all-gather as `shunt
  /// algorithms --allgather` does, with its parameter after a colon ("four-stage", "stages:3",
  /// "stages:4x4x4"); kAuto; or kNative. Whatever Shunt says of the call has the name.
  std::string algorithm = "auto";

  /// How the messages of a stage are posted.
  Mode mode = Mode::dual_buffer;

  /// Algorithms that cut blocks do so at multiples of this many bytes, at least 1. A block of at
  /// most this many is never cut.
  Bytes grain = 512;

  /// How many messages and bytes are under way at a time.
  Window window{};

  /// Whether messages between ranks of one node go through memory that they share instead of MPI:
  /// those of plans and of one-shot calls, but not those of exchanges of records. They never do in
  /// blocking mode.
  bool shared_memory = true;

  /// Bytes of the packets in which MPI carries a longer message whose length both its ends know: in
  /// plans, and in one-shot exchanges of one stage, but not in blocking mode. 0: messages are not
  /// cut. Over TCP an MPI library sends packets of up to its eager limit (often 64 KiB) without
  /// asking the receiver first. Where an algorithm has a node exchange with one other node at a
  /// time, packets keep to its order: a few steps of a node's ranks are under way at a time.
  Bytes packet = 0;

  /// How much "auto" tries. One-shot calls try candidates in turn as the program makes them, which
  /// takes a twentieth of their time, and more in the first calls. With `estimate` they try
  /// nothing, and every run makes equal choices: exchanges by one message for each block,
  /// all-gathers as the model expects.
  Effort effort = Effort::measure;

  /// The most bytes of buffers, in addition to the user's memory, that one exchange or plan uses or
  /// keeps on a rank; 0: no limit. "auto" leaves out candidates that do not fit. Where an
  /// algorithm's bound is above the limit, the exchange is divided into parts, made one after the
  /// other, each with a part of every block, and if need be with a finer grain; this takes one or
  /// two reductions. All ranks throw Error(argument) where parts of 16 bytes do not fit either.
  ///
  /// The limit covers what Counters::memory counts: send and receive buffers with tables of
  /// contents in front of messages, packed copies of elements with gaps, and packets of
  /// redistributions. It does not cover memory shared with the node, which has a fixed size per
  /// communicator; schedules, lists of copies, and tables of contents once they are read; and MPI's
  /// own memory. Exchanges of records take no limit: they throw Error(argument).
  Bytes memory = 0;

  /// Whether messages of 8 KiB and more between ranks of one node are copied once instead of twice,
  /// by the receiver, straight from the sender's memory. This needs shared_memory, and a system
  /// that lets processes read each other's memory (process_vm_readv); where it does not, MPI
  /// carries all messages inside the node. Plans of several stages copy twice all the same;
  /// all-gathers and redistributions ignore this field.
  bool single_copy = false;

  /// Returns whether all fields are equal.
  friend bool operator==(const Options&, const Options&) = default;
};

}  // namespace shunt
