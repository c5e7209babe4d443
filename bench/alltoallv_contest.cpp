#include "alltoallv_contest.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "model/narrow.hpp"
#include "model/turns.hpp"

namespace shunt::bench {

namespace {

constexpr int kPoison = 0xA5;

/// A byte that depends on where it comes from, where it goes and its place.
std::byte byte_of(Rank source, Rank destination, Bytes place) {
  const auto mixed = static_cast<std::uint64_t>(source) * 0x9E3779B97F4A7C15ULL ^
                     static_cast<std::uint64_t>(destination) * 0xC2B2AE3D27D4EB4FULL ^
                     static_cast<std::uint64_t>(place) * 0x165667B19E3779F9ULL;
  return static_cast<std::byte>(mixed >> 53);
}

std::vector<int> ints(const std::vector<Bytes>& values, int element) {
  std::vector<int> narrowed;
  for (const Bytes value : values) {
    narrowed.push_back(narrow<int>(value / element, "a count or displacement of MPI_Alltoallv"));
  }
  return narrowed;
}

std::size_t size_of(const Layout& layout) {
  return static_cast<std::size_t>(layout.counts.back() + layout.displacements.back());
}

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
    : comm_(comm), yard_(comm), element_(element), options_(options) {
  MPI_Type_contiguous(element, MPI_BYTE, &type_);
  MPI_Type_commit(&type_);
  fill(traffic);
  add_native();
  add_shunt(options);
}

AlltoallvContest::~AlltoallvContest() { MPI_Type_free(&type_); }

void AlltoallvContest::fill(const Traffic& traffic) {
  std::vector<Bytes> row(static_cast<std::size_t>(yard_.ranks()));
  std::vector<Bytes> column(row.size());
  traffic.row(yard_.rank(), row);
  traffic.column(yard_.rank(), column);
  for (Bytes& count : row) count *= element_;
  for (Bytes& count : column) count *= element_;
  send_layout_ = Layout::packed(row);
  receive_layout_ = Layout::packed(column);
  send_.resize(size_of(send_layout_));
  receive_.resize(size_of(receive_layout_));
  expected_.resize(receive_.size());
  for (std::size_t k = 0; k < row.size(); ++k) {
    const auto peer = static_cast<Rank>(k);
    std::byte* out = send_.data() + send_layout_.displacements[k];
    for (Bytes i = 0; i < row[k]; ++i) out[i] = byte_of(yard_.rank(), peer, i);
    std::byte* in = expected_.data() + receive_layout_.displacements[k];
    for (Bytes i = 0; i < column[k]; ++i) in[i] = byte_of(peer, yard_.rank(), i);
  }
}

void AlltoallvContest::add_native() {
  auto run = [this, send_counts = ints(send_layout_.counts, element_),
              send_places = ints(send_layout_.displacements, element_),
              receive_counts = ints(receive_layout_.counts, element_),
              receive_places = ints(receive_layout_.displacements, element_)] {
    MPI_Alltoallv(send_.data(), send_counts.data(), send_places.data(), type_, receive_.data(),
                  receive_counts.data(), receive_places.data(), type_, comm_);
  };
  contestants_.push_back({"native", "", "", run});
}

void AlltoallvContest::add_shunt(const ContestOptions& options) {
  const std::span<const std::byte> send(send_);
  const std::span<std::byte> receive(receive_);
  for (const std::string& algorithm : options.algorithms) {
    for (const Mode mode : options.modes) {
      const Options chosen{algorithm, mode, options.grain, {}};
      if (options.plans) {
        plans_.push_back(
            yard_.plan_alltoallv(send, send_layout_, receive, receive_layout_, chosen));
        contestants_.push_back({algorithm, name_of(mode), "plan",
                                [this, index = plans_.size() - 1] { plans_[index].execute(); }});
      }
      // Without a plan, MPI's own collective is the reference itself.
      if (options.one_shots && algorithm != "native") {
        contestants_.push_back(
            {algorithm, name_of(mode), "one-shot", [this, send, receive, chosen] {
               yard_.alltoallv(send, send_layout_, receive, receive_layout_, chosen);
             }});
      }
    }
  }
}

double AlltoallvContest::time_once(const Contestant& contestant) {
  if (!receive_.empty()) std::memset(receive_.data(), kPoison, receive_.size());
  MPI_Barrier(comm_);
  const double begin = MPI_Wtime();
  contestant.run();
  const double seconds = MPI_Wtime() - begin;
  // Who checks its bytes keeps no other rank from a processor that is still timed.
  MPI_Barrier(comm_);
  verify();
  return seconds;
}

void AlltoallvContest::verify() {
  ++exchanges_;
  if (receive_ == expected_) return;
  for (std::size_t i = 0; i < receive_.size(); ++i) {
    if (receive_[i] != expected_[i]) ++wrong_;
  }
}

Bytes AlltoallvContest::wrong_bytes() const {
  Bytes sum = 0;
  MPI_Allreduce(&wrong_, &sum, 1, MPI_INT64_T, MPI_SUM, comm_);
  return sum;
}

Bytes AlltoallvContest::largest_send() const {
  const auto mine = static_cast<Bytes>(send_.size());
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
