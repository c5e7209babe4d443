#include "conformance/exchange_case.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "conformance/names.hpp"

namespace shunt::test {

namespace {

constexpr std::byte kPoison{0xA5};
/// Bytes in front of the buffer that is passed: displacements and types reach before it.
constexpr MPI_Aint kMargin = 4096;
/// Every number of atoms that an element may have divides it.
constexpr int kCommonMultiple = 12;

constexpr const char* kForms[] = {"", "_c", "_init", "_init_c"};

MPI_Aint ceiling(MPI_Aint a, MPI_Aint b) { return a / b + (a % b > 0 ? 1 : 0); }

/// The functions, in a form that takes counts and displacements of some types.
template <class All, class V, class W, class Gather, class GatherV, class Root, class FromRoot>
struct Functions {
  All alltoall;
  V alltoallv;
  W alltoallw;
  Gather allgather;
  GatherV allgatherv;
  Root gatherv;
  FromRoot scatterv;
};
template <class All, class V, class W, class Gather, class GatherV, class Root, class FromRoot>
Functions(All, V, W, Gather, GatherV, Root, FromRoot)
    -> Functions<All, V, W, Gather, GatherV, Root, FromRoot>;

/// Null for no memory at all.
const std::byte* buffer(const std::vector<std::byte>& memory) {
  return memory.empty() ? nullptr : memory.data() + kMargin;
}
std::byte* buffer(std::vector<std::byte>& memory) {
  return memory.empty() ? nullptr : memory.data() + kMargin;
}

}  // namespace

ExchangeCase::ExchangeCase(std::uint64_t seed, std::uint64_t number, MPI_Comm comm)
    : seed_(seed), number_(number), comm_(comm) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &ranks_);
  Dice dice{seed, number};
  function_ = static_cast<Function>(dice.below(7));
  form_ = static_cast<Form>(dice.below(4));
  in_place_ = dice.one_in(4);
  constexpr int kManyRanks = 8;
  long_ = dice.one_in(16) && ranks_ <= kManyRanks;
  share_of_empty_ = dice.below(5);
  atom_ = random_atom(dice);
  root_ = dice.below(ranks_);
  send_ = make_side(true);
  receive_ = make_side(false);
}

ExchangeCase::~ExchangeCase() {
  if (request_ != SHUNT_REQUEST_NULL) SHUNT_Request_free(&request_);
  free_types(send_);
  free_types(receive_);
  free_type(atom_);
}

std::string ExchangeCase::describe() const {
  return fmt::format("SHUNT_{}{} on {} ranks{}{}{}", kFunctionNames[static_cast<int>(function_)],
                     kForms[static_cast<int>(form_)], ranks_, in_place_ ? ", in place" : "",
                     long_ ? ", long" : "", has_root() ? fmt::format(", root {}", root_) : "");
}

/// What differs from peer to peer in alltoallw is the same for all peers elsewhere.
Shape ExchangeCase::shape_of(int rank, bool sends, int peer) const {
  const int which = function_ == Function::alltoallw ? peer : 0;
  Dice dice{seed_, number_, static_cast<std::uint64_t>(2 * rank + (sends ? 1 : 0)),
            static_cast<std::uint64_t>(which)};
  return random_shape(dice, equal_blocks() || long_);
}

int ExchangeCase::atoms_between(int source, int destination) const {
  if (has_root() && root_ != (function_ == Function::gatherv ? destination : source)) return 0;
  if (allgathers()) destination = 0;
  const bool same_both_ways = in_place_ && !allgathers() && !has_root() && source > destination;
  Dice dice{seed_, number_, 5, static_cast<std::uint64_t>(same_both_ways ? destination : source),
            static_cast<std::uint64_t>(same_both_ways ? source : destination)};
  const bool empty = share_of_empty_ > 0 && dice.one_in(share_of_empty_);
  const int times = long_ ? 20 + dice.below(40) : 1 + dice.below(3);
  if (equal_blocks()) {
    Dice common{seed_, number_, 6};
    return kCommonMultiple * common.below(long_ ? 200 : 3);
  }
  if (allgathers()) return empty ? 0 : times * kCommonMultiple;
  if (has_root()) return empty ? 0 : times * kCommonMultiple;
  const int sent = shape_of(source, !in_place_, destination).atoms;
  return empty ? 0 : times * sent * shape_of(destination, false, source).atoms;
}

ExchangeCase::Side ExchangeCase::make_side(bool sends) const {
  Side side;
  if (is_in_place(sends)) return side;
  if (has_root() && !is_single(sends) && rank_ != root_) return side;
  for (int k = 0; k < (is_single(sends) ? 1 : ranks_); ++k) {
    const int peer = has_root() && is_single(sends) ? root_ : k;
    const Shape shape = shape_of(rank_, sends, peer);
    const int atoms = sends ? atoms_between(rank_, peer) : atoms_between(peer, rank_);
    const bool same = function_ != Function::alltoallw && k > 0;
    side.types.push_back(same ? side.types.front() : make_type(shape, atom_));
    side.counts.push_back(atoms / shape.atoms);
  }
  Dice dice{seed_, number_, 7, static_cast<std::uint64_t>(rank_), sends ? 1U : 0U};
  if (equal_blocks() || is_single(sends)) {
    place_in_order(side);
  } else {
    place_blocks(side, dice);
  }
  return side;
}

/// One after the other, the first at the buffer that is passed.
void ExchangeCase::place_in_order(Side& side) const {
  const Reach reach = reach_of(side.types.front());
  MPI_Aint end = 0;
  for (std::size_t k = 0; k < side.counts.size(); ++k) {
    side.places.push_back(static_cast<int>(k) * side.counts[k]);
    end = std::max(end, (side.places[k] + side.counts[k]) * reach.extent + reach.end);
  }
  side.memory.resize(static_cast<std::size_t>(kMargin + end + 64));
}

/// In a random order, with gaps.
void ExchangeCase::place_blocks(Side& side, Dice& dice) const {
  std::vector<std::size_t> order(side.counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t k = order.size(); k > 1; --k) {
    std::swap(order[k - 1], order[static_cast<std::size_t>(dice.below(static_cast<int>(k)))]);
  }
  side.places.resize(side.counts.size());
  // As far as kMargin in front of the buffer that is passed.
  MPI_Aint cursor = -kMargin + dice.below(kMargin / 2);
  for (const std::size_t k : order) {
    const Reach reach = reach_of(side.types[k]);
    const MPI_Aint unit = function_ == Function::alltoallw ? 1 : reach.extent;
    side.places[k] = static_cast<int>(ceiling(cursor - reach.begin, unit));
    // Open MPI 4.1 on a communicator of one rank takes them for multiples of the extent.
    if (function_ == Function::alltoallw && ranks_ == 1) side.places[k] = 0;
    if (side.counts[k] == 0) continue;
    const MPI_Aint last = side.places[k] * unit + (side.counts[k] - 1) * reach.extent;
    cursor = std::max(cursor, last + reach.end + dice.below(40));
  }
  side.memory.resize(static_cast<std::size_t>(kMargin + std::max<MPI_Aint>(cursor, 0) + 64));
}

void ExchangeCase::free_types(Side& side) const {
  for (std::size_t k = 0; k < side.types.size(); ++k) {
    if (k == 0 || function_ == Function::alltoallw) free_type(side.types[k]);
  }
}

/// Bytes that tell where and when they come from; gaps of the receive memory are poisoned.
void ExchangeCase::fill(int round) {
  std::ranges::fill(receive_.memory, kPoison);
  Dice dice{seed_, number_, 8, static_cast<std::uint64_t>(rank_),
            static_cast<std::uint64_t>(round)};
  for (std::byte& byte : send_.memory) byte = static_cast<std::byte>(dice.next() >> 56);
  if (!in_place_) return;
  for (std::byte& byte : receive_.memory) byte = static_cast<std::byte>(dice.next() >> 56);
}

std::string ExchangeCase::run() {
  const int rounds = form_ == Form::request || form_ == Form::counts_request ? 3 : 1;
  for (int round = 0; round < rounds; ++round) {
    fill(round);
    std::vector<std::byte> expected = receive_.memory;
    const int by_mpi = call_mpi(expected);
    const int by_shunt = call_shunt();
    if (by_mpi != by_shunt) {
      return fmt::format("rank {}, round {}: MPI says \"{}\", Shunt \"{}\" ({})", rank_, round,
                         text_of_error(by_mpi), text_of_error(by_shunt), SHUNT_Last_error());
    }
    const auto [right, wrong] = std::ranges::mismatch(expected, receive_.memory);
    if (right != expected.end()) {
      return fmt::format(
          "rank {}, round {}: byte {} of the receive buffer is {:#04x} by MPI, "
          "{:#04x} by Shunt",
          rank_, round, right - expected.begin() - kMargin, static_cast<unsigned>(*right),
          static_cast<unsigned>(*wrong));
    }
  }
  return {};
}

/// What counts at the root alone is nothing that could be used elsewhere.
template <class Count, class Place, class All, class... More>
int ExchangeCase::call_rooted(std::byte* to, const All& functions, const More&... more) const {
  const bool gathers = function_ == Function::gatherv;
  const Side& array = gathers ? receive_ : send_;
  const Side& single = gathers ? send_ : receive_;
  const std::vector<Count> counts(array.counts.begin(), array.counts.end());
  const std::vector<Place> places(array.places.begin(), array.places.end());
  const auto type_of = [](const Side& side) {
    return side.types.empty() ? MPI_DATATYPE_NULL : side.types[0];
  };
  const Count count = single.counts.empty() ? -1 : single.counts[0];
  const void* from = is_in_place(true) ? MPI_IN_PLACE : buffer(send_.memory);
  if (is_in_place(false)) to = static_cast<std::byte*>(MPI_IN_PLACE);
  if (gathers) {
    return functions.gatherv(from, count, type_of(single), to, counts.data(), places.data(),
                             type_of(array), root_, comm_, more...);
  }
  return functions.scatterv(from, counts.data(), places.data(), type_of(array), to, count,
                            type_of(single), root_, comm_, more...);
}

template <class Count, class Place, class All, class... More>
int ExchangeCase::call(std::byte* to, const All& functions, const More&... more) const {
  if (has_root()) return call_rooted<Count, Place>(to, functions, more...);
  // In place the arguments of the send side mean nothing.
  const Side& out = in_place_ ? receive_ : send_;
  const Side& in = receive_;
  const void* from = in_place_ ? MPI_IN_PLACE : static_cast<const void*>(buffer(send_.memory));
  const std::vector<Count> out_counts(out.counts.begin(), out.counts.end());
  const std::vector<Place> out_places(out.places.begin(), out.places.end());
  const std::vector<Count> in_counts(in.counts.begin(), in.counts.end());
  const std::vector<Place> in_places(in.places.begin(), in.places.end());
  switch (function_) {
    case Function::alltoall:
      return functions.alltoall(from, out_counts[0], out.types[0], to, in_counts[0], in.types[0],
                                comm_, more...);
    case Function::alltoallv:
      return functions.alltoallv(from, out_counts.data(), out_places.data(), out.types[0], to,
                                 in_counts.data(), in_places.data(), in.types[0], comm_, more...);
    case Function::alltoallw:
      return functions.alltoallw(from, out_counts.data(), out_places.data(), out.types.data(), to,
                                 in_counts.data(), in_places.data(), in.types.data(), comm_,
                                 more...);
    case Function::allgather:
      return functions.allgather(from, out_counts[0], out.types[0], to, in_counts[0], in.types[0],
                                 comm_, more...);
    default:
      return functions.allgatherv(from, out_counts[0], out.types[0], to, in_counts.data(),
                                  in_places.data(), in.types[0], comm_, more...);
  }
}

int ExchangeCase::call_mpi(std::vector<std::byte>& received) const {
  // Open MPI 4.1 and, on one rank, MPICH 4.0 overrun the receive buffer with the own block where
  // its two types differ.
  if (allgathers() && !in_place_) return exchange_pairwise(received);
#ifdef MPICH_VERSION
  // MPICH 4.0 takes messages of derived types to be truncated there, and leaves some behind.
  if (in_place_ && long_ && !allgathers() && !has_root()) return exchange_pairwise(received);
#endif
  return call<int, int>(buffer(received),
                        Functions{MPI_Alltoall, MPI_Alltoallv, MPI_Alltoallw, MPI_Allgather,
                                  MPI_Allgatherv, MPI_Gatherv, MPI_Scatterv});
}

/// By single messages, from a copy.
int ExchangeCase::exchange_pairwise(std::vector<std::byte>& received) const {
  const Side& out = in_place_ ? receive_ : send_;
  const std::vector<std::byte> sent = in_place_ ? received : send_.memory;
  const auto place = [this](const Side& side, std::size_t k) {
    const bool in_bytes = function_ == Function::alltoallw;
    return side.places[k] * (in_bytes ? 1 : reach_of(side.types[k]).extent);
  };
  const auto own = static_cast<std::size_t>(in_place_ ? rank_ : 0);  // block of an all-gather
  std::vector<MPI_Request> requests;
  for (int peer = 0; peer < ranks_; ++peer) {
    const auto k = static_cast<std::size_t>(peer);
    const std::size_t from = allgathers() ? own : k;
    MPI_Irecv(buffer(received) + place(receive_, k), receive_.counts[k], receive_.types[k], peer, 0,
              comm_, &requests.emplace_back());
    MPI_Isend(buffer(sent) + place(out, from), out.counts[from], out.types[from], peer, 0, comm_,
              &requests.emplace_back());
  }
  return MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

int ExchangeCase::call_shunt() {
  std::byte* to = buffer(receive_.memory);
  if (form_ == Form::ints) {
    return call<int, int>(
        to, Functions{SHUNT_Alltoall, SHUNT_Alltoallv, SHUNT_Alltoallw, SHUNT_Allgather,
                      SHUNT_Allgatherv, SHUNT_Gatherv, SHUNT_Scatterv});
  }
  if (form_ == Form::counts) {
    return call<MPI_Count, MPI_Aint>(
        to, Functions{SHUNT_Alltoall_c, SHUNT_Alltoallv_c, SHUNT_Alltoallw_c, SHUNT_Allgather_c,
                      SHUNT_Allgatherv_c, SHUNT_Gatherv_c, SHUNT_Scatterv_c});
  }
  int status = MPI_SUCCESS;
  if (request_ == SHUNT_REQUEST_NULL) {
    status =
        form_ == Form::request
            ? call<int, int>(
                  to,
                  Functions{SHUNT_Alltoall_init, SHUNT_Alltoallv_init, SHUNT_Alltoallw_init,
                            SHUNT_Allgather_init, SHUNT_Allgatherv_init, SHUNT_Gatherv_init,
                            SHUNT_Scatterv_init},
                  MPI_INFO_NULL, &request_)
            : call<MPI_Count, MPI_Aint>(
                  to,
                  Functions{SHUNT_Alltoall_init_c, SHUNT_Alltoallv_init_c, SHUNT_Alltoallw_init_c,
                            SHUNT_Allgather_init_c, SHUNT_Allgatherv_init_c, SHUNT_Gatherv_init_c,
                            SHUNT_Scatterv_init_c},
                  MPI_INFO_NULL, &request_);
  }
  if (status == MPI_SUCCESS) status = SHUNT_Start(&request_);
  return status == MPI_SUCCESS ? SHUNT_Wait(&request_, MPI_STATUS_IGNORE) : status;
}

}  // namespace shunt::test
