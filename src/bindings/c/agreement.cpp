#include "bindings/c/agreement.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "mpi_calls/mpi_call.hpp"
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

std::vector<Lengths> exchange_lengths(const Context& context, const Part& part) {
  const auto ranks = static_cast<std::size_t>(context.ranks());
  std::vector<Lengths> mine(ranks, {kNothing, kNothing});
  std::vector<Lengths> theirs(ranks);
  for (std::size_t k = 0; k < ranks && !part.failure; ++k) {
    mine[k] = {part.sent[k], part.received[k]};
  }
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ialltoall(mine.data(), 2, MPI_INT64_T, theirs.data(), 2, MPI_INT64_T,
                          context.comm(), &request),
            "MPI_Ialltoall");
  context.progress.complete(request);
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

/// What all ranks together say: the lowest rank of each kind, or as many as there are ranks.
struct Verdict {
  Rank failed;
  Rank disputing;
  Rank in_place;
  Rank not_in_place;
  bool drew_alike;
};

/// One reduction.
Verdict verdict_of(const Context& context, const Part& part, bool disputing) {
  const auto if_true = [&context](bool mine) { return mine ? context.rank() : context.ranks(); };
  const bool failed = part.failure != nullptr;
  std::vector<std::int64_t> own{if_true(failed), if_true(disputing),
                                if_true(!failed && part.in_place),
                                if_true(!failed && !part.in_place)};
  const std::size_t first_drawn = own.size();
  // The least of each number, and of its negative, which is the largest.
  for (const std::optional<std::int64_t> number : context.drawn()) {
    constexpr std::int64_t kDoesNotCount = std::numeric_limits<std::int64_t>::max();
    own.push_back(number.value_or(kDoesNotCount));
    own.push_back(number ? -*number : kDoesNotCount);
  }
  std::vector<std::int64_t> least(own.size());
  context.progress.reduce(own.data(), least.data(), static_cast<int>(own.size()), MPI_INT64_T,
                          MPI_MIN);
  bool alike = true;
  for (std::size_t k = first_drawn; k < least.size(); k += 2) {
    alike = alike && (least[k] == -least[k + 1] || least[k] == least[k + 1]);
  }
  const auto rank = [&least](std::size_t k) { return static_cast<Rank>(least[k]); };
  return {rank(0), rank(1), rank(2), rank(3), alike};
}

}  // namespace

void agree(const Context& context, const Part& part) {
  const std::vector<Lengths> theirs = exchange_lengths(context, part);
  const Disputes disputes(context.rank(), part, theirs);
  const Verdict all = verdict_of(context, part, disputes.number() > 0);
  if (part.failure) std::rethrow_exception(part.failure);
  if (all.failed < context.ranks()) {
    throw Error(
        ErrorKind::communication,
        fmt::format("the arguments of rank {} cannot be used, so no rank exchanges anything",
                    all.failed));
  }
  if (all.in_place < context.ranks() && all.not_in_place < context.ranks()) {
    throw Error(ErrorKind::buffer,
                fmt::format("the send buffer of rank {} is MPI_IN_PLACE, and that of rank {} is "
                            "not; it is on all ranks or on none",
                            all.in_place, all.not_in_place));
  }
  if (disputes.number() > 0) throw Error(ErrorKind::truncated, disputes.sentence());
  if (all.disputing < context.ranks()) {
    throw Error(ErrorKind::communication,
                fmt::format("rank {} and another rank do not agree on the length of a block, so no "
                            "rank exchanges anything",
                            all.disputing));
  }
  if (!all.drew_alike) {
    throw Error(ErrorKind::communication,
                "an earlier call without SHUNT_CHECK failed on some ranks only, so that no call on "
                "this communicator can match those of other ranks any more");
  }
}

}  // namespace shunt::c
