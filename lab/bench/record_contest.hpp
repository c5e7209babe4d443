// Compares exchanges of records: by hand with MPI, and by Shunt, in turn, all verified.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <mpi.h>

#include "lab/bench/contest.hpp"
#include "shunt/shunt.hpp"

namespace shunt::bench {

/// 16 bytes, of which a hash of the key says where the record goes.
struct KeyedRecord {
  std::uint64_t key;
  std::uint64_t value;
};

/// Records with random keys: `per_rank` of them on each rank of the communicator.
class RecordContest {
 public:
  RecordContest(MPI_Comm comm, Bytes per_rank, std::uint64_t seed, const ContestOptions& options);

  /// Runs all contestants in turn. The first is what a program does without Shunt: a counting sort
  /// by destination, MPI_Alltoall of the counts, MPI_Alltoallv; its buffers are kept from round to
  /// round if `options.plans`, and allocated in each if `options.one_shots`.
  [[nodiscard]] std::vector<Result> run() { return contest_.run(); }

  [[nodiscard]] Bytes exchanges() const { return contest_.runs(); }
  [[nodiscard]] Bytes wrong_records() const { return contest_.mistakes(); }

 private:
  /// Memory of the exchange by hand.
  struct Sorted {
    std::vector<Rank> destinations;
    std::vector<KeyedRecord> send;
    std::vector<KeyedRecord> receive;
  };

  [[nodiscard]] Rank destination_of(const KeyedRecord& record) const;
  void exchange_by_hand(Sorted& memory) const;
  void add_by_hand(const char* form, bool keep);
  void add_shunt();
  [[nodiscard]] Bytes mistakes_in(std::span<const KeyedRecord> received) const;

  MPI_Comm comm_;
  Communicator communicator_;
  ContestOptions options_;
  std::vector<KeyedRecord> records_;
  /// The number of the records that this rank is to receive, and the sum of their hashes.
  std::uint64_t expected_[2] = {0, 0};
  Contest contest_;
};

}  // namespace shunt::bench
