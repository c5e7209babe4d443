#include "broadcast_contest.hpp"

#include <span>
#include <utility>

#include "model/narrow.hpp"

namespace shunt::bench {

namespace {

constexpr const char* kWhat = "a count or displacement of MPI_Allgatherv";

/// A block goes to all ranks alike.
std::byte byte_of_block(Rank source, Bytes place) { return byte_of(source, source, place); }

}  // namespace

BroadcastContest::BroadcastContest(MPI_Comm comm, const Sources& sources,
                                   const ContestOptions& options)
    : comm_(comm),
      yard_(comm),
      layout_(Layout::packed(sources.lengths())),
      contest_(comm, options) {
  fill();
  const Contestant reference = native();
  contest_.add(reference);
  contest_.add_shunt(forms(), reference);
}

void BroadcastContest::fill() {
  std::vector<std::byte> expected;
  for (std::size_t k = 0; k < layout_.counts.size(); ++k) {
    const auto source = static_cast<Rank>(k);
    for (Bytes i = 0; i < layout_.counts[k]; ++i) expected.push_back(byte_of_block(source, i));
  }
  const auto rank = static_cast<std::size_t>(yard_.rank());
  const auto* const own = expected.data() + layout_.displacements[rank];
  own_.assign(own, own + layout_.counts[rank]);
  received_ = CheckedBytes(std::move(expected));
}

Contestant BroadcastContest::native() {
  auto run = [this, counts = narrow<int>(layout_.counts, kWhat),
              places = narrow<int>(layout_.displacements, kWhat)] {
    MPI_Allgatherv(own_.data(), static_cast<int>(own_.size()), MPI_BYTE, received_.span().data(),
                   counts.data(), places.data(), MPI_BYTE, comm_);
  };
  return {
      "native", "", "", run, [this] { received_.spoil(); }, [this] { return received_.wrong(); }};
}

Forms BroadcastContest::forms() {
  return {[this](const Options& chosen) {
            return yard_.plan_allgatherv(std::span<const std::byte>(own_), received_.span(),
                                         layout_, chosen);
          },
          [this](const Options& chosen) {
            yard_.allgatherv(std::span<const std::byte>(own_), received_.span(), layout_, chosen);
          }};
}

}  // namespace shunt::bench
