#include "lab/bench/record_contest.hpp"

#include <memory>

#include "model/hash.hpp"

namespace shunt::bench {

RecordContest::RecordContest(MPI_Comm comm, Bytes per_rank, std::uint64_t seed,
                             const ContestOptions& options)
    : comm_(comm), communicator_(comm), options_(options), contest_(comm, options) {
  const auto first =
      static_cast<std::uint64_t>(communicator_.rank()) * static_cast<std::uint64_t>(per_rank);
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(per_rank); ++i) {
    records_.push_back({hash(seed, first + i), first + i});
  }
  // What each rank is to receive, without moving a record.
  std::vector<std::uint64_t> sums(2 * static_cast<std::size_t>(communicator_.ranks()), 0);
  for (const KeyedRecord& record : records_) {
    const auto to = static_cast<std::size_t>(destination_of(record));
    sums[2 * to] += 1;
    sums[2 * to + 1] += hash(record.key, record.value);
  }
  MPI_Reduce_scatter_block(sums.data(), expected_, 2, MPI_UINT64_T, MPI_SUM, comm);
  if (options.plans) add_by_hand("buffers kept", true);
  if (options.one_shots) add_by_hand("fresh buffers", false);
  add_shunt();
}

Rank RecordContest::destination_of(const KeyedRecord& record) const {
  const auto ranks = static_cast<std::uint64_t>(communicator_.ranks());
  return static_cast<Rank>(((record.key >> 32) * ranks) >> 32);
}

void RecordContest::exchange_by_hand(Sorted& memory) const {
  const auto ranks = static_cast<std::size_t>(communicator_.ranks());
  std::vector<int> counts(ranks, 0);
  memory.destinations.resize(records_.size());
  for (std::size_t i = 0; i < records_.size(); ++i) {
    memory.destinations[i] = destination_of(records_[i]);
    ++counts[static_cast<std::size_t>(memory.destinations[i])];
  }
  std::vector<int> places(ranks, 0);
  for (std::size_t k = 1; k < ranks; ++k) places[k] = places[k - 1] + counts[k - 1];
  std::vector<int> next = places;
  memory.send.resize(records_.size());
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const auto to = static_cast<std::size_t>(memory.destinations[i]);
    memory.send[static_cast<std::size_t>(next[to]++)] = records_[i];
  }
  std::vector<int> arriving(ranks);
  MPI_Alltoall(counts.data(), 1, MPI_INT, arriving.data(), 1, MPI_INT, comm_);
  std::vector<int> arriving_places(ranks, 0);
  for (std::size_t k = 1; k < ranks; ++k) {
    arriving_places[k] = arriving_places[k - 1] + arriving[k - 1];
  }
  memory.receive.resize(static_cast<std::size_t>(arriving_places.back() + arriving.back()));
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(sizeof(KeyedRecord), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Alltoallv(memory.send.data(), counts.data(), places.data(), type, memory.receive.data(),
                arriving.data(), arriving_places.data(), type, comm_);
  MPI_Type_free(&type);
}

Bytes RecordContest::mistakes_in(std::span<const KeyedRecord> received) const {
  Bytes mistakes = 0;
  std::uint64_t sums[2] = {0, 0};
  for (const KeyedRecord& record : received) {
    if (destination_of(record) != communicator_.rank()) ++mistakes;
    sums[0] += 1;
    sums[1] += hash(record.key, record.value);
  }
  return sums[0] == expected_[0] && sums[1] == expected_[1] ? mistakes : mistakes + 1;
}

void RecordContest::add_by_hand(const char* form, bool keep) {
  const auto memory = std::make_shared<Sorted>();
  auto prepare = [memory, keep] {
    if (!keep) *memory = {};
  };
  contest_.add({"by hand", "", form, [this, memory] { exchange_by_hand(*memory); }, prepare,
                [this, memory] { return mistakes_in(memory->receive); }});
}

void RecordContest::add_shunt() {
  const auto received = std::make_shared<Buffer<KeyedRecord>>();
  for (const std::string& algorithm : options_.algorithms) {
    for (const Mode mode : options_.modes) {
      auto run = [this, received, chosen = Options{algorithm, mode, options_.grain, {}}] {
        *received = communicator_.exchange(
            std::span<const KeyedRecord>(records_),
            [this](const KeyedRecord& record) { return destination_of(record); }, chosen);
      };
      contest_.add({algorithm, name_of(mode), "records", run, [received] { *received = {}; },
                    [this, received] {
                      return mistakes_in({received->data(), received->size()});
                    }});
    }
  }
}

}  // namespace shunt::bench
