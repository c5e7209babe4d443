#include "exchange/node/board_channel.hpp"

#include <algorithm>
#include <cstring>

#include "exchange/copies.hpp"
#include "exchange/mpi_call.hpp"

namespace shunt {

BoardChannel::~BoardChannel() {
  if (first_ > 0) boards_->done_until(Moment::end_of(first_ + route_->stages.size() - 1));
}

void BoardChannel::begin_stage(std::size_t stage) {
  showing_ = first_ + stage;
  sources_.clear();
  part_ = route_->stages[stage].board ? &*route_->stages[stage].board : nullptr;
  if (part_ == nullptr) return;
  own_walk_.emplace(stage == 0 ? own_ : receive_, part_->pieces);
  for (const BoardSource& source : part_->sources) {
    sources_.push_back({&source, {receive_, source.pieces}, false});
  }
  (void)begin_round(0);
}

bool BoardChannel::begin_round(int round) {
  round_ = round;
  // In the first round also who has nothing says so.
  shown_ = round > 0 && of_round(part_->bytes, boards_->own()) == 0;
  awaited_.clear();
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    const BoardSource& source = *sources_[k].source;
    const bool shows = of_round(source.bytes, boards_->of(source.place)) > 0;
    if (shows && !sources_[k].lost) awaited_.push_back(k);
  }
  return !shown_ || !awaited_.empty();
}

bool BoardChannel::advance(const std::function<void(std::size_t)>& /*handle*/) {
  moved_ = false;
  while (part_ != nullptr) {
    if (!shown_) {
      shown_ = show();
      moved_ = moved_ || shown_;
    }
    const auto read = std::erase_if(awaited_, [&](std::size_t k) { return look(sources_[k]); });
    moved_ = moved_ || read > 0;
    if (!shown_ || !awaited_.empty()) return false;
    if (begin_round(round_ + 1)) {
      boards_->done_until(Moment(showing_, static_cast<std::uint64_t>(round_) - 1));
    } else {
      boards_->done_until(Moment::end_of(showing_));
      part_ = nullptr;
    }
  }
  return true;
}

Bytes BoardChannel::of_round(Bytes length, const Board& board) const {
  if (fits_notice(length)) return round_ == 0 ? length : 0;
  return std::clamp(length - round_ * board.half(), Bytes{0}, board.half());
}

bool BoardChannel::show() {
  if (!boards_->has_room(now())) return false;
  const Board& board = boards_->own();
  std::byte* to =
      fits_notice(part_->bytes) ? board.notice(now().half()).text : board.data(now().half());
  own_walk_->next(of_round(part_->bytes, board), [&](const std::byte* at, Bytes bytes) {
    move_bytes(to, at, bytes);
    to += bytes;
  });
  boards_->show(now(), part_->bytes);
  return true;
}

bool BoardChannel::look(Source& source) {
  const auto& [place, from, bytes, pieces] = *source.source;
  const Board& board = boards_->of(place);
  const Notice& notice = board.notice(now().half());
  const Moment moment(notice.moment.load(std::memory_order_acquire));
  if (moment < now()) return false;
  if (moment > now() || notice.length != bytes) {
    disagreement_ = moment > now() ? no_message(from) : wrong_length(from, bytes);
    source.lost = true;
    return true;
  }
  const std::byte* at = fits_notice(bytes) ? notice.text : board.data(now().half());
  source.landing.next(of_round(bytes, board), [&](std::byte* to, Bytes length) {
    move_bytes(to, at, length);
    at += length;
  });
  return true;
}

void BoardChannel::expect_agreement() {
  if (!disagreement_) return;
  const Error error = *disagreement_;
  disagreement_.reset();
  throw error;
}

Bytes BoardChannel::payload() const {
  Bytes payload = 0;
  for (const RouteStage& stage : route_->stages) {
    if (!stage.board) continue;
    const Bytes bytes = stage.board->bytes;
    payload =
        std::max(payload, fits_notice(bytes) ? bytes : std::min(bytes, boards_->own().half()));
  }
  return payload;
}

}  // namespace shunt
