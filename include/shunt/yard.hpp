// The C++ interface: exchanges on a communicator.
#pragma once

#include <cstring>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <mpi.h>

#include "shunt/array_layout.hpp"
#include "shunt/counters.hpp"
#include "shunt/distributed_array.hpp"
#include "shunt/element_update.hpp"
#include "shunt/error.hpp"
#include "shunt/from_sources.hpp"
#include "shunt/integers.hpp"
#include "shunt/options.hpp"
#include "shunt/plan.hpp"
#include "shunt/records.hpp"
#include "shunt/shared_array.hpp"
#include "shunt/types.hpp"

namespace shunt {

class BoundedPlan;
class YardState;

/// Anything that is a contiguous range of integers: counts and displacements.
template <class R>
concept IntegerRange =
    std::ranges::contiguous_range<R> && std::integral<std::ranges::range_value_t<R>>;

/// Elements that are moved as their bytes.
template <class T>
concept Element = std::is_trivially_copyable_v<T>;

/// Where one side of an exchange keeps its blocks: block k is `counts[k]` elements, beginning
/// `displacements[k]` elements after the start of the buffer. Both have one entry per rank. Making
/// one throws Error(count) where a number exceeds 64 bits.
struct Layout {
  std::vector<Bytes> counts;
  std::vector<Bytes> displacements;

  template <IntegerRange Counts>
  [[nodiscard]] static Layout packed(const Counts& counts) {
    Layout layout;
    layout.counts = numbers(counts, "a count");
    Bytes end = 0;
    for (const Bytes count : layout.counts) {
      layout.displacements.push_back(end);
      if (__builtin_add_overflow(end, count, &end)) {
        throw Error(ErrorKind::count, "the counts of a layout exceed 64 bits together");
      }
    }
    return layout;
  }

  template <IntegerRange Counts, IntegerRange Displacements>
  [[nodiscard]] static Layout of(const Counts& counts, const Displacements& displacements) {
    Layout layout;
    layout.counts = numbers(counts, "a count");
    layout.displacements = numbers(displacements, "a displacement");
    return layout;
  }

 private:
  template <IntegerRange Numbers>
  static std::vector<Bytes> numbers(const Numbers& given, const char* what) {
    std::vector<Bytes> result;
    result.reserve(std::ranges::size(given));
    for (const auto number : given) {
      result.push_back(checked_integer<Bytes>(number, ErrorKind::count, what));
    }
    return result;
  }
};

/// Exchanges among the ranks of one communicator. Cheap to make and to copy: what is kept per
/// communicator (its own communicator, schedules, buffers) is made by the first Yard on it, which
/// is collective, and freed with the communicator and the last object made from it. Never
/// communicates on the user's communicator itself.
///
/// Every call is collective unless it says otherwise: all ranks make the same calls in the same
/// order with the same options. Errors are thrown as shunt::Error; a rank that throws leaves the
/// other ranks of the exchange waiting, as a failed MPI call would. What is planned, and memory
/// that a node shares, is for all ranks or none: one reduction tells whether each of them can use
/// its arguments, and where one cannot, the others throw Error(communication), which names it.
class Yard {
 public:
  /// Throws Error(communicator) for MPI_COMM_NULL, for an intercommunicator, or if MPI is not
  /// running.
  explicit Yard(MPI_Comm comm);

  [[nodiscard]] Rank rank() const;
  [[nodiscard]] Rank ranks() const;

  /// MPI_Alltoallv: block k of `send` goes to rank k, block k of `receive` comes from rank k; bytes
  /// between the blocks of `receive` stay untouched. The counts of sender and receiver must agree.
  /// Throws Error(count) or Error(buffer) where a layout does not fit this communicator or its
  /// buffer, Error(truncated) where the ranks' counts turn out not to agree; but if "auto" has MPI
  /// make the call, that reports this in its way.
  template <Element T>
  Counters alltoallv(std::span<const T> send, const Layout& send_layout, std::span<T> receive,
                     const Layout& receive_layout, const Options& options = {}) {
    return alltoallv_bytes(std::as_bytes(send), send_layout, std::as_writable_bytes(receive),
                           receive_layout, sizeof(T), options);
  }

  /// The blocks of `send` lie one after the other, counts[k] elements for rank k; returns the
  /// blocks received, one after the other. Costs an MPI_Alltoall of one count per pair of ranks to
  /// find out what comes.
  template <Element T, IntegerRange SendCounts>
  [[nodiscard]] std::vector<T> alltoallv(std::span<const T> send, const SendCounts& counts,
                                         const Options& options = {}) {
    const Layout send_layout = Layout::packed(counts);
    const Layout receive_layout = Layout::packed(transpose_counts(send_layout.counts));
    std::vector<T> receive(static_cast<std::size_t>(receive_layout.counts.back() +
                                                    receive_layout.displacements.back()));
    alltoallv(send, send_layout, std::span<T>(receive), receive_layout, options);
    return receive;
  }

  /// With MPI datatypes, counts and displacements in elements of them: any committed type,
  /// however it was made; displacements are multiples of the type's extent.
  Counters alltoallv(const void* send, const Layout& send_layout, MPI_Datatype send_type,
                     void* receive, const Layout& receive_layout, MPI_Datatype receive_type,
                     const Options& options = {});

  /// Plans the exchange that the same arguments would make. The buffers must outlive the plan and
  /// are not touched by planning. With algorithm "auto" the likely algorithms and MPI's own
  /// collective are tried a few times with blocks of the same lengths, and the fastest is kept:
  /// planning then takes some dozens of exchanges and, until it is done, memory for a second set of
  /// blocks. What was found before for such an exchange is taken without trials; `options.effort`
  /// says how much of both there is to be. "native" is MPI's own collective, MPI_Ialltoallv.
  template <Element T>
  [[nodiscard]] Plan plan_alltoallv(std::span<const T> send, const Layout& send_layout,
                                    std::span<T> receive, const Layout& receive_layout,
                                    const Options& options = {}) {
    return plan_bytes(std::as_bytes(send), send_layout, std::as_writable_bytes(receive),
                      receive_layout, sizeof(T), options);
  }

  [[nodiscard]] Plan plan_alltoallv(const void* send, const Layout& send_layout,
                                    MPI_Datatype send_type, void* receive,
                                    const Layout& receive_layout, MPI_Datatype receive_type,
                                    const Options& options = {});

  /// MPI_Allgatherv, a broadcast from many sources: `send` goes to all ranks, and block k of
  /// `receive` comes from rank k; bytes between the blocks stay untouched. The counts are the same
  /// on all ranks; those of ranks that have nothing are zero. `send` may be this rank's own block
  /// of `receive`. `options.algorithm` is one that `shunt algorithms --broadcast` lists; "native"
  /// is MPI's own; "auto" what has been the fastest in the calls so far, for sources of like
  /// number and lengths. Throws Error(count) or Error(buffer) where the layout does not fit
  /// this communicator or its buffer, Error(truncated) where `send` has another length than this
  /// rank's block or the ranks' counts turn out not to agree.
  template <Element T>
  Counters allgatherv(std::span<const T> send, std::span<T> receive, const Layout& receive_layout,
                      const Options& options = {}) {
    return allgatherv_bytes(std::as_bytes(send), std::as_writable_bytes(receive), receive_layout,
                            sizeof(T), options);
  }

  /// With MPI datatypes, as `alltoallv`.
  Counters allgatherv(const void* send, Bytes send_count, MPI_Datatype send_type, void* receive,
                      const Layout& receive_layout, MPI_Datatype receive_type,
                      const Options& options = {});

  /// Plans the broadcast that the same arguments would make, as `plan_alltoallv` does.
  template <Element T>
  [[nodiscard]] Plan plan_allgatherv(std::span<const T> send, std::span<T> receive,
                                     const Layout& receive_layout, const Options& options = {}) {
    return plan_allgatherv_bytes(std::as_bytes(send), std::as_writable_bytes(receive),
                                 receive_layout, sizeof(T), options);
  }

  [[nodiscard]] Plan plan_allgatherv(const void* send, Bytes send_count, MPI_Datatype send_type,
                                     void* receive, const Layout& receive_layout,
                                     MPI_Datatype receive_type, const Options& options = {});

  /// Dynamic broadcasting: brings `mine` of every rank to all, where a rank knows only whether it
  /// has something itself. Returns what came, by source, that of this rank included; ranks with
  /// nothing are left out. To find out who has how much costs a broadcast of 8 bytes from every
  /// rank, in ceil(log2 P) start-ups.
  ///
  ///     for (const auto& [source, updates] : yard.broadcast_from(mine)) apply(source, updates);
  template <Element T>
  [[nodiscard]] FromSources<T> broadcast_from(std::span<const T> mine,
                                              const Options& options = {}) {
    std::vector<Bytes> lengths;
    RawBuffer bytes = broadcast_bytes(std::as_bytes(mine), alignof(T), options, lengths);
    return FromSources<T>(std::move(bytes), lengths);
  }

  /// Deals an array out anew: the elements of `section` of `from` go to where `to` has them. Both
  /// are of this communicator's ranks, over grids of any shape, which may overlap or not; what a
  /// rank sends must not lie where it receives something. What `section` leaves out of `to` stays
  /// untouched. All ranks give the same layouts and section. Elements go straight to their rank,
  /// and need no memory but for packets: at most `options.window.messages` of `options.packet`
  /// bytes each way (0: 256 KiB), and what ranks of a node share. By any other `options.algorithm`
  /// than "auto" they go as those of an exchange of blocks, which are packed in memory before, and
  /// unpacked from it: where very many messages are very short, on several ways. Throws
  /// Error(argument), Error(count) or Error(rank) where a layout or the section breaks a rule, or
  /// there is no such algorithm, Error(buffer) where a part does not fit its memory, or what a rank
  /// sends overlaps with what it receives. A rank that throws because of its arguments sends
  /// nothing, and its next calls match those of the others: ranks of its node that wait for
  /// elements of it throw Error(truncated), others wait for good.
  template <Element T>
  Counters redistribute(const DistributedArray<const T>& from, const DistributedArray<T>& to,
                        const ArraySection& section = {}, const Options& options = {}) {
    return redistribute_bytes(ArrayTransfer<T>{from, to, section}.bytes(), sizeof(T), options);
  }

  /// Plans the redistribution that the same arguments would make. Nothing is sent; all ranks make
  /// their plans in the same order.
  template <Element T>
  [[nodiscard]] Plan plan_redistribution(const DistributedArray<const T>& from,
                                         const DistributedArray<T>& to,
                                         const ArraySection& section = {},
                                         const Options& options = {}) {
    return plan_redistributions<T>({{from, to, section}}, options);
  }
  /// The same, where an element becomes alpha times what arrives plus beta times what is there:
  /// with a section that transposes, to = alpha * from^T + beta * to. Of real or complex numbers,
  /// which packets have to hold (else Error(argument)).
  template <Element T>
  [[nodiscard]] Plan plan_accumulation(const DistributedArray<const T>& from,
                                       const DistributedArray<T>& to, const LinearUpdate<T>& update,
                                       const ArraySection& section = {},
                                       const Options& options = {}) {
    return plan_redistributions<T>({{from, to, section, update.for_elements()}}, options);
  }
  /// The same for any number of arrays, in blocks of one length or of any, in one exchange: what
  /// goes from one rank to another is one message. Costs time and memory in proportion to the pairs
  /// of blocks that have elements in common, of which this rank has one or both. Throws
  /// Error(count) also where a rank gives another number of blocks than are its own.
  template <Element T>
  [[nodiscard]] Plan plan_redistributions(const std::vector<ArrayTransfer<T>>& transfers,
                                          const Options& options = {}) {
    std::vector<ArrayTransfer<std::byte>> bytes;
    for (const ArrayTransfer<T>& transfer : transfers) bytes.push_back(transfer.bytes());
    return plan_redistributions_bytes(bytes, sizeof(T), options);
  }

  /// `count` elements of this rank, all bytes zero, in memory that the other ranks of its node can
  /// read: how many is every rank's own choice. Redistributions of this or another communicator
  /// have them copied once, from there to where they belong, and not by way of a buffer between;
  /// for that a rank's message is of at most 8 arrays and at least 8 KiB. The sender waits for
  /// that copy. Throws Error(count) where 64 bits are not enough, Error(buffer) where the system
  /// gives no such memory.
  template <Element T>
  [[nodiscard]] SharedArray<T> shared_array(Bytes count) {
    static_assert(alignof(T) <= 4096, "the array begins at a page, and at no larger boundary");
    auto [memory, bytes] = shared_bytes(count, sizeof(T));
    return {std::move(memory),
            {reinterpret_cast<T*>(bytes.data()), static_cast<std::size_t>(count)}};
  }

  /// Plans exchanges of unknown counts in which no rank sends or receives more than `largest_load`
  /// bytes, which is the same on all ranks.
  [[nodiscard]] BoundedPlan plan_bounded(Bytes largest_load, const Options& options = {});

  /// What each other rank has for this one: element k of the result is counts[rank()] of rank k.
  [[nodiscard]] std::vector<Bytes> transpose_counts(const std::vector<Bytes>& counts);

  /// Sends every record to its destination, in no particular order, with no counts exchanged
  /// before: records may lie in any order and arrive in any. `destination` is either a contiguous
  /// range with one rank per record, or a function of a record that any rank evaluates to the same
  /// rank. Throws Error(rank) for a destination outside the communicator, Error(count) where the
  /// range has another length than the records.
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
  std::pair<std::shared_ptr<const void>, std::span<std::byte>> shared_bytes(Bytes count,
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
  /// Sets `lengths` to those of all ranks' blocks in bytes, and returns them one after the other.
  RawBuffer broadcast_bytes(std::span<const std::byte> mine, std::size_t alignment,
                            const Options& options, std::vector<Bytes>& lengths);
  RawBuffer exchange_records(std::span<const std::byte> records, const RecordShape& shape,
                             const RecordClassifier* classifier, std::span<const Rank> destinations,
                             const Options& options, Counters* counters);

  std::shared_ptr<YardState> state_;
};

/// Executes exchanges with other counts each time, within a bound that was given once: buffers are
/// kept, and since the bound is known every message goes out as one. Made by `Yard::plan_bounded`.
class BoundedPlan {
 public:
  class Implementation;

  explicit BoundedPlan(std::unique_ptr<Implementation> implementation);
  BoundedPlan(BoundedPlan&&) noexcept;
  BoundedPlan& operator=(BoundedPlan&&) noexcept;
  ~BoundedPlan();

  /// Exchanges blocks as `Yard::alltoallv` does. Throws Error(count) where this rank sends or
  /// receives more than the bound.
  template <Element T>
  Counters execute(std::span<const T> send, const Layout& send_layout, std::span<T> receive,
                   const Layout& receive_layout) {
    return execute_bytes(std::as_bytes(send), send_layout, std::as_writable_bytes(receive),
                         receive_layout, sizeof(T));
  }

 private:
  Counters execute_bytes(std::span<const std::byte> send, const Layout& send_layout,
                         std::span<std::byte> receive, const Layout& receive_layout,
                         std::size_t element);

  std::unique_ptr<Implementation> implementation_;
};

}  // namespace shunt
