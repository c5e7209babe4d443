#include "bindings/c/agreement.hpp"

#include <string>

#include <fmt/format.h>

#include "exchange/mpi_call.hpp"
#include "shunt/error.hpp"

namespace shunt::c {

namespace {

/// What one rank tells another.
struct Lengths {
  Bytes sent;      ///< from the one who tells to the other
  Bytes expected;  ///< the other way
};

/// No length: the one who tells has no lengths to tell.
constexpr Bytes kNothing = -1;

std::vector<Lengths> exchange_lengths(const YardState& yard, const Part& part) {
  const auto ranks = static_cast<std::size_t>(yard.ranks());
  std::vector<Lengths> mine(ranks, {kNothing, kNothing});
  std::vector<Lengths> theirs(ranks);
  for (std::size_t k = 0; k < ranks && !part.failure; ++k) {
    mine[k] = {part.sent[k], part.received[k]};
  }
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ialltoall(mine.data(), 2, MPI_INT64_T, theirs.data(), 2, MPI_INT64_T, yard.comm(),
                          &request),
            "MPI_Ialltoall");
  yard.complete(request);
  return theirs;
}

/// The blocks to and from this rank on which the other side has another opinion, in words.
class Disputes {
 public:
  Disputes(Rank rank, const Part& part, const std::vector<Lengths>& theirs) {
    for (std::size_t k = 0; k < theirs.size() && !part.failure; ++k) {
      const auto peer = static_cast<Rank>(k);
      if (theirs[k].sent == kNothing) continue;
      add(rank, peer, part.sent[k], theirs[k].expected);
      if (peer != rank) add(peer, rank, theirs[k].sent, part.received[k]);
    }
  }

  [[nodiscard]] int number() const { return number_; }

  [[nodiscard]] std::string sentence() const {
    if (number_ <= kMostTold) return text_;
    return text_ + fmt::format("; and {} more blocks", number_ - kMostTold);
  }

 private:
  static constexpr int kMostTold = 4;

  void add(Rank from, Rank to, Bytes sent, Bytes expected) {
    if (sent == expected || number_++ >= kMostTold) return;
    text_ += fmt::format("{}rank {} sends {} bytes to rank {}, which expects {}",
                         text_.empty() ? "" : "; ", from, sent, to, expected);
  }

  int number_ = 0;
  std::string text_;
};

/// The lowest ranks that have something to complain of; as many as there are ranks if none has.
struct FirstRanks {
  Rank failed;
  Rank disputing;
};

FirstRanks first_ranks(const YardState& yard, bool failed, bool disputing) {
  const Rank own[] = {failed ? yard.rank() : yard.ranks(), disputing ? yard.rank() : yard.ranks()};
  Rank first[] = {0, 0};
  yard.reduce(own, first, 2, MPI_INT32_T, MPI_MIN);
  return {first[0], first[1]};
}

}  // namespace

void agree(const YardState& yard, const Part& part) {
  const std::vector<Lengths> theirs = exchange_lengths(yard, part);
  const Disputes disputes(yard.rank(), part, theirs);
  const FirstRanks first = first_ranks(yard, part.failure != nullptr, disputes.number() > 0);
  if (part.failure) std::rethrow_exception(part.failure);
  if (disputes.number() > 0) throw Error(ErrorKind::truncated, disputes.sentence());
  if (first.failed < yard.ranks()) {
    throw Error(
        ErrorKind::communication,
        fmt::format("the arguments of rank {} cannot be used, so no rank exchanges anything",
                    first.failed));
  }
  if (first.disputing < yard.ranks()) {
    throw Error(ErrorKind::communication,
                fmt::format("rank {} and another rank do not agree on the length of a block, so no "
                            "rank exchanges anything",
                            first.disputing));
  }
}

}  // namespace shunt::c
