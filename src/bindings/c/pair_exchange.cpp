#include "bindings/c/pair_exchange.hpp"

#include <algorithm>

#include "bindings/block_copy.hpp"
#include "mpi_calls/mpi_call.hpp"

namespace shunt::c {

/// The ranks but one sit round a table, and in round r those meet whose numbers add up to r; who
/// would meet himself meets the one left out, whom an odd number of ranks lacks.
Rank meeting_round(Rank a, Rank b, Rank ranks) {
  const Rank table = ranks % 2 == 0 ? ranks - 1 : ranks;
  auto sum = [table](Rank x, Rank y) { return static_cast<Rank>((std::int64_t{x} + y) % table); };
  if (a == table) return sum(b, b);
  if (b == table) return sum(a, a);
  return sum(a, b);
}

PairExchange::PairExchange(const std::shared_ptr<Context>& context, const TypedSide& side)
    : PlannedExchange(context), side_(side), tag_(context->draw_tag()) {
  const Rank self = context->rank();
  const Rank ranks = context->ranks();
  for (Rank peer = 0; peer < ranks; ++peer) {
    const Bytes bytes = side_.blocks()[static_cast<std::size_t>(peer)].bytes;
    if (peer != self && is_long(bytes, ranks)) peers_.push_back(peer);
  }
  std::ranges::sort(peers_, {}, [=](Rank peer) { return meeting_round(self, peer, ranks); });
}

PairExchange::~PairExchange() {
  for (MPI_Request* request : {&receive_, &send_}) {
    if (*request == MPI_REQUEST_NULL || !mpi_is_running()) continue;
    MPI_Cancel(request);
    MPI_Request_free(request);
  }
}

bool PairExchange::begin() {
  met_ = 0;
  if (peers_.empty()) return false;
  begin_pair();
  return true;
}

void PairExchange::begin_pair() {
  left_ = block().bytes;
  post_chunk();
}

void PairExchange::post_chunk() {
  chunk_ = std::min(left_, kChunk);
  const Peer peer{peers_[met_], tag_, context().comm()};
  receive_ = start_receive(in_.provide(kChunk), chunk_, peer);
  const Bytes begin = block().bytes - left_;
  if (block().is_contiguous()) {
    send_ = start_send(at_address(block().data() + begin), chunk_, peer);
  } else {
    std::byte* const packed = out_.provide(kChunk);
    pack_part(block(), begin, chunk_, packed);
    send_ = start_send(packed, chunk_, peer);
  }
}

bool PairExchange::is_through(MPI_Request& request, bool wait, MPI_Status& status) const {
  int through = 1;
  if (wait) {
    check_mpi(MPI_Wait(&request, &status), "MPI_Wait");
  } else {
    check_mpi(MPI_Test(&request, &through, &status), "MPI_Test");
  }
  return through != 0;
}

bool PairExchange::advance(bool wait) {
  while (true) {
    MPI_Status status;
    if (receive_ != MPI_REQUEST_NULL) {
      if (!is_through(receive_, wait, status)) return false;
      expect_length(status, chunk_, peers_[met_]);
    }
    // The chunk lands where the one that is sent may still be leaving from.
    if (send_ != MPI_REQUEST_NULL && !is_through(send_, wait, status)) return false;
    land_chunk();
    if (left_ > 0) {
      post_chunk();
    } else if (++met_ < peers_.size()) {
      begin_pair();
    } else {
      finish();
      return true;
    }
  }
}

void PairExchange::land_chunk() {
  unpack_part(block(), block().bytes - left_, chunk_, in_.provide(0));
  left_ -= chunk_;
}

}  // namespace shunt::c
