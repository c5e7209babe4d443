// The exchanges of the C++ interface, on a communicator.
#pragma once

#include <cstring>
#include <exception>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <mpi.h>

#include "shunt/array_layout.hpp"
#include "shunt/bounded_plan.hpp"
#include "shunt/counters.hpp"
#include "shunt/distributed_array.hpp"
#include "shunt/element_update.hpp"
#include "shunt/error.hpp"
#include "shunt/from_sources.hpp"
#include "shunt/integers.hpp"
#include "shunt/layout.hpp"
#include "shunt/options.hpp"
#include "shunt/plan.hpp"
#include "shunt/records.hpp"
#include "shunt/shared_array.hpp"
#include "shunt/types.hpp"

namespace shunt {

class Context;

/// Exchanges data among the ranks of a communicator of MPI. A handle, cheap to make and to copy:
/// what is kept per communicator of MPI (one of Shunt's own, schedules, buffers) is made by the
/// first handle on it, and freed when it and all handles and plans made from it are gone. Only
/// making the first handle communicates on the user's communicator. All handles end before
/// MPI_Finalize.
///
/// Communication. Every call is collective over the communicator unless it says "local": all ranks
/// make the same calls in the same order with equal options. A call may return on one rank before
/// others have begun it. While a call waits it makes progress with all plans that are under way, as
/// Plan::wait does. docs/tuning.md, "What a call costs", lists what each call communicates in
/// addition to the data.
///
/// Buffers. The caller owns all buffers. No block of a receive buffer may overlap another block of
/// it, or a block that is sent, unless a call says so: only redistributions look for overlaps, and
/// elsewhere they leave wrong data. MPI_IN_PLACE is for the C interface alone. Memory of a device
/// is refused with Error(buffer).
///
/// Errors. Calls throw shunt::Error, or std::bad_alloc where memory is exhausted. Errors are local:
/// as with MPI, ranks that wait for data of a rank that throws may wait forever. What each call
/// says of its own comes in addition to:
/// - Error(argument) where an option breaks its rule, there is no such algorithm for that many
///   ranks, or Options::memory is too low; all ranks throw this, since they give equal options.
/// - Error(communication) where MPI reports a failure.
/// A call that makes a plan or gives out memory does so on all ranks or on none: one reduction
/// tells whether each rank can use its arguments. Where one cannot, it throws its own error and the
/// others throw Error(communication), which names it, and later calls match.
///
/// Thread safety. Under MPI_THREAD_MULTIPLE several threads may make calls at a time if each does
/// so on another communicator. Calls on one communicator, by whichever handles and plans, are made
/// by one thread at a time; nothing is locked. At lower levels of MPI's thread support one thread
/// at a time makes calls, on whichever communicators.
class Communicator {
 public:
  /// Makes a handle for `comm`, which the caller keeps. Collective over `comm` where this is the
  /// first use of it, with two reductions, the creation of a communicator, and messages inside each
  /// node; local after that.
  ///
  /// Throws Error(communicator) for MPI_COMM_NULL, for an intercommunicator, and where MPI is not
  /// running or MPI_Finalize has begun. The first use throws on all ranks or on none:
  /// Error(communicator) where MPI has no communicator left, Error(argument) or Error(file) where
  /// SHUNT_NODES cannot be used on one of them.
  explicit Communicator(MPI_Comm comm);

  /// Returns this rank's number in the communicator. Local.
  [[nodiscard]] Rank rank() const;
  /// Returns the number of ranks of the communicator. Local.
  [[nodiscard]] Rank ranks() const;

  /// Exchanges blocks as MPI_Alltoallv does: block k of `send` goes to rank k, block k of `receive`
  /// comes from rank k. Bytes between the blocks of `receive` stay as they are. Sender and receiver
  /// of a block give equal counts. Sends tables of contents in front of messages in all stages of
  /// the algorithm but the last; with "auto" a reduction of nine numbers comes first now and then,
  /// and with Options::memory one or two reductions do. Returns what this rank did.
  ///
  /// Throws Error(count) where a layout has not one entry per rank, a count is negative, or bytes
  /// exceed 64 bits; Error(buffer) where a block lies outside its buffer; and Error(truncated)
  /// where this rank's block for itself has two lengths. A rank with such arguments takes part
  /// without blocks and throws when the call is over, so that later calls match. Throws
  /// Error(argument) where the algorithm's restriction forbids one of this rank's blocks, and
  /// Error(truncated) where the counts of two ranks turn out not to agree. Where MPI's own
  /// collective makes the call, MPI reports that in its way.
  template <Element T>
  Counters alltoallv(std::span<const T> send, const Layout& send_layout, std::span<T> receive,
                     const Layout& receive_layout, const Options& options = {}) {
    return alltoallv_bytes(std::as_bytes(send), send_layout, std::as_writable_bytes(receive),
                           receive_layout, sizeof(T), options);
  }

  /// Sends the blocks of `send`, which lie one after the other, counts[k] elements for rank k, and
  /// returns the blocks received, one after the other, from rank 0 on. Finds out what comes by
  /// transpose_counts; apart from that communicates and throws as the form with two layouts does.
  template <Element T, IntegerRange SendCounts>
  [[nodiscard]] std::vector<T> alltoallv(std::span<const T> send, const SendCounts& counts,
                                         const Options& options = {}) {
    Layout send_layout;
    std::exception_ptr fault;
    try {
      send_layout = Layout::packed(counts);
    } catch (const Error&) {
      // The others wait for this rank: it takes part without sending anything.
      fault = std::current_exception();
      send_layout = Layout::packed(std::vector<Count>(static_cast<std::size_t>(ranks()), 0));
    }
    const Layout receive_layout = Layout::packed(transpose_or_none(send_layout.counts));
    std::vector<T> receive(static_cast<std::size_t>(receive_layout.counts.back() +
                                                    receive_layout.displacements.back()));
    alltoallv(send, send_layout, std::span<T>(receive), receive_layout, options);
    if (fault) std::rethrow_exception(fault);
    return receive;
  }

  /// Exchanges blocks of elements of MPI datatypes, as the form with spans does. Counts and
  /// displacements of a layout are in elements of its type, a displacement of one being the type's
  /// extent; a buffer may be MPI_BOTTOM. Any committed type may be used, and the types of sender
  /// and receiver may differ if their signatures agree. Elements with gaps are packed, which takes
  /// memory for their data. The types may be freed after the call. Throws also Error(type) where a
  /// type is MPI_DATATYPE_NULL or not committed, and Error(buffer) where a buffer is null and a
  /// block has elements.
  Counters alltoallv(const void* send, const Layout& send_layout, MPI_Datatype send_type,
                     void* receive, const Layout& receive_layout, MPI_Datatype receive_type,
                     const Options& options = {});

  /// Plans the exchange that alltoallv makes of equal arguments, to be executed any number of
  /// times. The buffers must outlive the plan, and are not touched by planning. Collective: one or
  /// more reductions, and once the messages of all stages but the last, with tables of contents
  /// alone.
  ///
  /// With "auto" planning tries the likely algorithms and MPI's own collective a few times, with
  /// blocks of equal lengths in memory of its own, and keeps the fastest: some dozens of exchanges,
  /// and until planning is over memory for a second set of blocks. It takes what was found earlier
  /// for such an exchange without trials. `options.effort` says how much it may try. "native" plans
  /// MPI_Ialltoallv.
  ///
  /// Throws, for all ranks or none, Error(count), Error(buffer) and Error(truncated) where
  /// alltoallv does, and Error(argument) where the restriction of the algorithm named forbids one
  /// of this rank's blocks. Throws Error(truncated), on a rank alone, where with Options::memory a
  /// part is longer than the ranks have said. Where the counts of two ranks do not agree, an
  /// execution throws.
  template <Element T>
  [[nodiscard]] Plan plan_alltoallv(std::span<const T> send, const Layout& send_layout,
                                    std::span<T> receive, const Layout& receive_layout,
                                    const Options& options = {}) {
    return plan_bytes(std::as_bytes(send), send_layout, std::as_writable_bytes(receive),
                      receive_layout, sizeof(T), options);
  }

  /// Plans the exchange that alltoallv makes of equal arguments with MPI datatypes. Communicates
  /// and throws as the form with spans does; for all ranks or none also Error(type), as alltoallv.
  /// The types may be freed after the call. Packed copies of elements with gaps are kept with the
  /// plan.
  [[nodiscard]] Plan plan_alltoallv(const void* send, const Layout& send_layout,
                                    MPI_Datatype send_type, void* receive,
                                    const Layout& receive_layout, MPI_Datatype receive_type,
                                    const Options& options = {});

  /// Gathers blocks on all ranks as MPI_Allgatherv does: `send` goes to all ranks, and block k of
  /// `receive` comes from rank k. Bytes between the blocks of `receive` stay as they are. The
  /// counts are equal on all ranks, and zero for ranks that send nothing. `send` may be this rank's
  /// own block of `receive`. Sends data alone; with "auto" a reduction of nine numbers comes first
  /// now and then, and with Options::memory one does. "auto" takes what has been the fastest in the
  /// calls so far, for similar numbers and lengths of blocks. Returns what this rank did.
  ///
  /// Throws Error(count) and Error(buffer) where alltoallv does, and Error(truncated) where `send`
  /// has another length than this rank's block. A rank with such arguments takes part and throws
  /// when the call is over; where it can receive, the others get what is in its block of `receive`.
  /// Throws Error(truncated) where the ranks' counts turn out not to agree.
  template <Element T>
  Counters allgatherv(std::span<const T> send, std::span<T> receive, const Layout& receive_layout,
                      const Options& options = {}) {
    return allgatherv_bytes(std::as_bytes(send), std::as_writable_bytes(receive), receive_layout,
                            sizeof(T), options);
  }

  /// Gathers blocks of elements of MPI datatypes, as the form with spans does. What alltoallv says
  /// of datatypes holds here; `send_count` is in elements of `send_type`.
  Counters allgatherv(const void* send, Count send_count, MPI_Datatype send_type, void* receive,
                      const Layout& receive_layout, MPI_Datatype receive_type,
                      const Options& options = {});

  /// Plans the all-gather that allgatherv makes of equal arguments. What plan_alltoallv says of
  /// buffers, trials and reductions holds here; there are no tables of contents. Throws what
  /// allgatherv throws of a rank's own arguments, for all ranks or none.
  template <Element T>
  [[nodiscard]] Plan plan_allgatherv(std::span<const T> send, std::span<T> receive,
                                     const Layout& receive_layout, const Options& options = {}) {
    return plan_allgatherv_bytes(std::as_bytes(send), std::as_writable_bytes(receive),
                                 receive_layout, sizeof(T), options);
  }

  /// Plans the all-gather that allgatherv makes of equal arguments with MPI datatypes, as the form
  /// with spans does. The types may be freed after the call.
  [[nodiscard]] Plan plan_allgatherv(const void* send, Count send_count, MPI_Datatype send_type,
                                     void* receive, const Layout& receive_layout,
                                     MPI_Datatype receive_type, const Options& options = {});

  /// Gathers `mine` of every rank on all ranks, where a rank knows only how much it has itself
  /// (dynamic broadcasting). Returns what came by source, including this rank's own; ranks with
  /// nothing are left out. Makes two all-gathers: one of 8 bytes per rank by "auto", which tells
  /// the lengths, and one of the data. Throws as allgatherv does.
  ///
  ///     for (const auto& [source, updates] : communicator.allgather_from(mine)) apply(source,
  ///     updates);
  template <Element T>
  [[nodiscard]] FromSources<T> allgather_from(std::span<const T> mine,
                                              const Options& options = {}) {
    std::vector<Bytes> lengths;
    RawBuffer bytes = allgather_bytes(std::as_bytes(mine), alignof(T), options, lengths);
    return FromSources<T>(std::move(bytes), lengths);
  }

  /// Redistributes an array: the elements of `section` of `from` go to where `to` has them. Both
  /// layouts are over this communicator's ranks, on grids of any shapes, which may overlap or not.
  /// Elements of `to` outside the section stay as they are. All ranks give equal layouts and
  /// sections. Returns what this rank did.
  ///
  /// With "auto" elements go straight to their rank, without tables of contents, and take no memory
  /// but packets, at most `options.window.messages` of `options.packet` bytes each way (0: 256
  /// KiB), and memory shared with the node. With another `options.algorithm` they go as the blocks
  /// of an exchange, which are packed in memory first and unpacked from there: of use where very
  /// many messages are very short.
  ///
  /// Throws Error(argument), Error(count) or Error(rank) where a layout or the section breaks a
  /// rule, and Error(buffer) where a part is longer than its memory, or elements that this rank
  /// sends overlap those that it receives (every element is checked). A rank that throws one of
  /// these sends nothing, and its next calls match those of the others: ranks of its node that wait
  /// for its elements throw Error(truncated), ranks of other nodes wait forever.
  template <Element T>
  Counters redistribute(const DistributedArray<const T>& from, const DistributedArray<T>& to,
                        const ArraySection& section = {}, const Options& options = {}) {
    return redistribute_bytes(ArrayTransfer<T>{from, to, section}.bytes(), sizeof(T), options);
  }

  /// Plans the redistribution that redistribute makes of equal arguments, whose memory must outlive
  /// the plan. With "auto" communicates one reduction; with another algorithm what plan_alltoallv
  /// does. Throws what redistribute throws of a rank's own arguments, for all ranks or none.
  template <Element T>
  [[nodiscard]] Plan plan_redistribution(const DistributedArray<const T>& from,
                                         const DistributedArray<T>& to,
                                         const ArraySection& section = {},
                                         const Options& options = {}) {
    return plan_redistributions<T>({{from, to, section}}, options);
  }

  /// Plans a redistribution of real or complex numbers that sets each element of the target to
  /// alpha times what arrives plus beta times what is there: with a section that transposes, to =
  /// alpha * from^T + beta * to. Communicates and throws as plan_redistribution does; also
  /// Error(argument) where packets are shorter than an element (`options.packet`, unless it is 0).
  template <Element T>
  [[nodiscard]] Plan plan_accumulation(const DistributedArray<const T>& from,
                                       const DistributedArray<T>& to, const LinearUpdate<T>& update,
                                       const ArraySection& section = {},
                                       const Options& options = {}) {
    return plan_redistributions<T>({{from, to, section, update.for_elements()}}, options);
  }

  /// Plans a redistribution of any number of arrays of either kind in one exchange: all that goes
  /// from one rank to another is one message. All ranks give equal layouts and sections in the same
  /// order; no element that a rank receives may lie where it sends or receives another one. Takes
  /// local time and memory in proportion to the pairs of blocks that have elements in common and of
  /// which this rank has one. Communicates and throws as plan_redistribution does; also
  /// Error(count) where a rank gives another number of blocks than it owns.
  template <Element T>
  [[nodiscard]] Plan plan_redistributions(const std::vector<ArrayTransfer<T>>& transfers,
                                          const Options& options = {}) {
    std::vector<ArrayTransfer<std::byte>> bytes;
    for (const ArrayTransfer<T>& transfer : transfers) bytes.push_back(transfer.bytes());
    return plan_redistributions_bytes(bytes, sizeof(T), options);
  }

  /// Returns an array of `count` elements, all bytes zero, in memory that the other ranks of its
  /// node can read. Each rank chooses its own count. Redistributions on this or another
  /// communicator copy elements once from there to where they belong, where a rank's message is of
  /// at most 8 arrays and at least 8 KiB; the sender waits for that copy. Communicates one
  /// reduction, splits the communicator by nodes, and sends messages inside each node. Throws, for
  /// all ranks or none, Error(count) where the count is negative or bytes exceed 64 bits; on a rank
  /// alone, Error(buffer) where the system has no such memory.
  template <Element T>
  [[nodiscard]] SharedArray<T> shared_array(Count count) {
    static_assert(alignof(T) <= 4096, "the array begins at a page, and at no larger boundary");
    auto [memory, bytes] = shared_bytes(count, sizeof(T));
    return {std::move(memory),
            {reinterpret_cast<T*>(bytes.data()), static_cast<std::size_t>(count)}};
  }

  /// Plans exchanges whose counts are not known yet, in which no rank sends or receives more than
  /// `largest_load` bytes; equal on all ranks. "auto" takes what the model expects to be fastest.
  /// Communicates one reduction, and what finding out about nodes and the machine's profile takes
  /// the first time. Throws, for all ranks or none, Error(argument) where the bound is negative.
  [[nodiscard]] BoundedPlan plan_bounded(Bytes largest_load, const Options& options = {});

  /// Returns what every rank has for this one: element k of the result is counts[rank()] of rank k.
  /// Communicates as MPI_Alltoall with one 8-byte number per pair of ranks. Throws Error(count)
  /// where there is not one count per rank, or one is negative: such a rank takes part with zeros
  /// and throws when the call is over, so that later calls match.
  [[nodiscard]] std::vector<Count> transpose_counts(const std::vector<Count>& counts);

  /// Sends every record to its destination and returns the records that came, in no particular
  /// order. `destination` is either a contiguous range of integers with one rank per record, or a
  /// function that returns the rank for a record. The function is called on each rank that a record
  /// passes through, and gives the same rank on all of them; it needs a Record that can be
  /// default-constructed. Exchanges no counts. In algorithms of several stages the ranks of a range
  /// travel with the records, in 1, 2 or 4 bytes each. "auto" sends every record straight to its
  /// destination. Sets *counters, unless it is null, to what this rank did.
  ///
  /// Throws Error(rank) for a destination outside the communicator, Error(count) where the range
  /// has another length than the records, and Error(argument) where Options::memory is set or the
  /// algorithm lets this rank send no records.
  template <Element Record, class Destination>
  [[nodiscard]] Buffer<Record> exchange(std::span<const Record> records, Destination&& destination,
                                        const Options& options = {}, Counters* counters = nullptr) {
    if constexpr (IntegerRange<Destination>) {
      return exchange_to(records, destination, options, counters);
    } else {
      const RecordClassifier classifier = [&destination](const std::byte* bytes, std::size_t count,
                                                         Rank* ranks) {
        for (std::size_t i = 0; i < count; ++i) {
          Record record;
          std::memcpy(&record, bytes + i * sizeof(Record), sizeof(Record));
          ranks[i] = destination_of(destination(static_cast<const Record&>(record)));
        }
      };
      return Buffer<Record>(exchange_records(std::as_bytes(records), kShapeOf<Record>, &classifier,
                                             {}, options, counters));
    }
  }

 private:
  /// What transpose_counts returns, with zeros from a rank whose counts are wrong.
  [[nodiscard]] std::vector<Count> transpose_or_none(const std::vector<Count>& counts);

  template <class Destination>
  static Rank destination_of(Destination destination) {
    return checked_integer<Rank>(destination, ErrorKind::rank, "the destination of a record");
  }

  template <Element Record, IntegerRange Ranks>
  Buffer<Record> exchange_to(std::span<const Record> records, const Ranks& destinations,
                             const Options& options, Counters* counters) {
    if constexpr (std::is_same_v<std::ranges::range_value_t<Ranks>, Rank>) {
      return Buffer<Record>(exchange_records(std::as_bytes(records), kShapeOf<Record>, nullptr,
                                             std::span<const Rank>(destinations), options,
                                             counters));
    } else {
      std::vector<Rank> ranks;
      ranks.reserve(std::ranges::size(destinations));
      for (const auto destination : destinations) ranks.push_back(destination_of(destination));
      return Buffer<Record>(exchange_records(std::as_bytes(records), kShapeOf<Record>, nullptr,
                                             ranks, options, counters));
    }
  }

  Counters alltoallv_bytes(std::span<const std::byte> send, const Layout& send_layout,
                           std::span<std::byte> receive, const Layout& receive_layout,
                           std::size_t element, const Options& options);
  Plan plan_bytes(std::span<const std::byte> send, const Layout& send_layout,
                  std::span<std::byte> receive, const Layout& receive_layout, std::size_t element,
                  const Options& options);
  std::pair<std::shared_ptr<const void>, std::span<std::byte>> shared_bytes(Count count,
                                                                            std::size_t element);
  Counters redistribute_bytes(const ArrayTransfer<std::byte>& transfer, std::size_t element,
                              const Options& options);
  Plan plan_redistributions_bytes(const std::vector<ArrayTransfer<std::byte>>& transfers,
                                  std::size_t element, const Options& options);
  Counters allgatherv_bytes(std::span<const std::byte> send, std::span<std::byte> receive,
                            const Layout& receive_layout, std::size_t element,
                            const Options& options);
  Plan plan_allgatherv_bytes(std::span<const std::byte> send, std::span<std::byte> receive,
                             const Layout& receive_layout, std::size_t element,
                             const Options& options);
  /// Gathers `mine` of every rank on all ranks. Returns the blocks one after the other, in memory
  /// that begins at a multiple of `alignment`, and sets `lengths` to their lengths in bytes, by
  /// rank.
  RawBuffer allgather_bytes(std::span<const std::byte> mine, std::size_t alignment,
                            const Options& options, std::vector<Bytes>& lengths);
  RawBuffer exchange_records(std::span<const std::byte> records, const RecordShape& shape,
                             const RecordClassifier* classifier, std::span<const Rank> destinations,
                             const Options& options, Counters* counters);

  std::shared_ptr<Context> state_;
};

}  // namespace shunt
