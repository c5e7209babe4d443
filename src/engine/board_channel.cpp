#include "engine/board_channel.hpp"

#include <algorithm>

#include "mpi_calls/mpi_call.hpp"
#include "routing/move_bytes.hpp"

namespace shunt {

BoardChannel::~BoardChannel() {
  if (first_ > 0) boards_->done_until(Moment::end_of(first_ + route_->showings - 1));
}

void BoardChannel::begin_stage(std::size_t stage) {
  sources_.clear();
  part_ = route_->stages[stage].board ? &*route_->stages[stage].board : nullptr;
  if (part_ == nullptr) return;
  showing_ = first_ + part_->showing;
  own_walk_.emplace(stage == 0 ? own_ : receive_, part_->pieces);
  // Also who has nothing says so.
  round_ = 0;
  rounds_ = std::max<std::uint64_t>(rounds_of(part_->bytes, boards_->own()), 1);
  for (const BoardSource& source : part_->sources) {
    const std::uint64_t rounds = rounds_of(source.bytes, boards_->of(source.place));
    if (rounds > 0) sources_.push_back({&source, {receive_, source.pieces}, 0, rounds});
  }
  say_what_is_read();
}

bool BoardChannel::advance(const std::function<void(std::size_t)>& /*handle*/) {
  moved_ = false;
  if (part_ == nullptr) return true;
  while (round_ < rounds_ && show()) moved_ = true;
  look_around();
  if (round_ < rounds_ || !sources_.empty()) return false;
  part_ = nullptr;
  return true;
}

void BoardChannel::look_around() {
  bool read = false;
  for (Source& source : sources_) {
    while (source.round < source.rounds && look(source)) read = true;
  }
  if (!read) return;
  moved_ = true;
  std::erase_if(sources_, [](const Source& source) { return source.round == source.rounds; });
  say_what_is_read();
}

void BoardChannel::say_what_is_read() const {
  if (sources_.empty()) {
    boards_->done_until(Moment::end_of(showing_));
    return;
  }
  const std::uint64_t next = std::ranges::min_element(sources_, {}, &Source::round)->round;
  if (next > 0) boards_->done_until(Moment(showing_, next - 1));
}

std::uint64_t BoardChannel::rounds_of(Bytes length, const Board& board) {
  // Whose board has no pages has shorter messages than this: its notice says so.
  if (fits_notice(length) || board.page_bytes() == 0) return length > 0 ? 1 : 0;
  return static_cast<std::uint64_t>((length + board.page_bytes() - 1) / board.page_bytes());
}

Bytes BoardChannel::of_round(Bytes length, std::uint64_t round, const Board& board) {
  if (fits_notice(length)) return length;
  return std::min(length - static_cast<Bytes>(round) * board.page_bytes(), board.page_bytes());
}

bool BoardChannel::show() {
  const Moment now(showing_, round_);
  if (!boards_->has_room(now, part_->bytes)) return false;
  const Board& board = boards_->own();
  std::byte* to = fits_notice(part_->bytes) ? board.notice(now).text : board.page(now);
  own_walk_->next(of_round(part_->bytes, round_, board), [&](const std::byte* at, Bytes bytes) {
    move_bytes(to, at, bytes);
    to += bytes;
  });
  boards_->show(now, part_->bytes);
  ++round_;
  return true;
}

bool BoardChannel::look(Source& source) {
  const auto& [place, from, bytes, pieces] = *source.source;
  const Board& board = boards_->of(place);
  const Moment now(showing_, source.round);
  const Notice& notice = board.notice(now);
  const Moment moment(notice.moment.load(std::memory_order_acquire));
  if (moment < now) return false;
  if (moment > now || notice.length != bytes) {
    disagreement_ = moment > now ? no_message(from) : wrong_length(from, bytes);
    source.round = source.rounds;
    return true;
  }
  const std::byte* at = fits_notice(bytes) ? notice.text : board.page(now);
  source.landing.next(of_round(bytes, source.round, board), [&](std::byte* to, Bytes length) {
    move_bytes(to, at, length);
    at += length;
  });
  ++source.round;
  return true;
}

Bytes BoardChannel::payload() const {
  Bytes payload = 0;
  for (const RouteStage& stage : route_->stages) {
    if (!stage.board) continue;
    const Bytes bytes = stage.board->bytes;
    const Bytes room = Bytes{Board::kPages} * boards_->own().page_bytes();
    payload = std::max(payload, fits_notice(bytes) ? bytes : std::min(bytes, room));
  }
  return payload;
}

}  // namespace shunt
