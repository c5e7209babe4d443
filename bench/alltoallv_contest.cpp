#include "alltoallv_contest.hpp"

#include <algorithm>

#include "model/turns.hpp"

namespace shunt::bench {

namespace {

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

void summarise(std::vector<Result>& results, MPI_Comm comm) {
  for (Result& result : results) {
    MPI_Allreduce(MPI_IN_PLACE, result.microseconds.data(),
                  static_cast<int>(result.microseconds.size()), MPI_DOUBLE, MPI_MAX, comm);
    result.median = median_of(result.microseconds);
    result.least = std::ranges::min(result.microseconds);
    result.most = std::ranges::max(result.microseconds);
    result.native_ratio = results.front().median / result.median;
  }
}

AlltoallvContest::AlltoallvContest(MPI_Comm comm, const Traffic& traffic, int element,
                                   const ContestOptions& options)
    : comm_(comm), yard_(comm), options_(options), blocks_(comm, traffic, element) {
  MPI_Type_contiguous(element, MPI_BYTE, &type_);
  MPI_Type_commit(&type_);
  add_native();
  add_shunt(options);
}

AlltoallvContest::~AlltoallvContest() { MPI_Type_free(&type_); }

void AlltoallvContest::add_native() {
  auto run = [this, send = blocks_.send_counts(), receive = blocks_.receive_counts()] {
    MPI_Alltoallv(blocks_.send().data(), send.counts.data(), send.displacements.data(), type_,
                  blocks_.receive().data(), receive.counts.data(), receive.displacements.data(),
                  type_, comm_);
  };
  contestants_.push_back({"native", "", "", run});
}

void AlltoallvContest::add_shunt(const ContestOptions& options) {
  const std::span<const std::byte> send = blocks_.send();
  const std::span<std::byte> receive = blocks_.receive();
  for (const std::string& algorithm : options.algorithms) {
    for (const Mode mode : options.modes) {
      Options chosen{algorithm, mode, options.grain, {}};
      chosen.packet = options.packet;
      if (options.plans) {
        plans_.push_back(yard_.plan_alltoallv(send, blocks_.send_layout(), receive,
                                              blocks_.receive_layout(), chosen));
        contestants_.push_back({algorithm, name_of(mode), "plan",
                                [this, index = plans_.size() - 1] { plans_[index].execute(); }});
      }
      // Without a plan, MPI's own collective is the reference itself.
      if (options.one_shots && algorithm != "native") {
        contestants_.push_back(
            {algorithm, name_of(mode), "one-shot", [this, send, receive, chosen] {
               yard_.alltoallv(send, blocks_.send_layout(), receive, blocks_.receive_layout(),
                               chosen);
             }});
      }
    }
  }
}

double AlltoallvContest::time_once(const Contestant& contestant) {
  blocks_.spoil();
  MPI_Barrier(comm_);
  const double begin = MPI_Wtime();
  contestant.run();
  const double seconds = MPI_Wtime() - begin;
  // Who checks its bytes keeps no other rank from a processor that is still timed.
  MPI_Barrier(comm_);
  ++exchanges_;
  wrong_ += blocks_.wrong_bytes();
  return seconds;
}

Bytes AlltoallvContest::wrong_bytes() const {
  Bytes sum = 0;
  MPI_Allreduce(&wrong_, &sum, 1, MPI_INT64_T, MPI_SUM, comm_);
  return sum;
}

Bytes AlltoallvContest::largest_send() const {
  const auto mine = static_cast<Bytes>(blocks_.send().size());
  Bytes largest = 0;
  MPI_Allreduce(&mine, &largest, 1, MPI_INT64_T, MPI_MAX, comm_);
  return largest;
}

std::vector<Result> AlltoallvContest::run() {
  std::vector<Result> results;
  for (const Contestant& contestant : contestants_) {
    results.push_back({contestant.algorithm, contestant.mode, contestant.form, {}});
    for (int i = 0; i < options_.warm_up; ++i) time_once(contestant);
  }
  Turns turns(contestants_.size());
  for (int round = 0; round < options_.rounds; ++round) {
    for (const std::size_t i : turns.next()) {
      results[i].microseconds.push_back(time_once(contestants_[i]) * 1e6);
    }
  }
  summarise(results, comm_);
  return results;
}

}  // namespace shunt::bench
