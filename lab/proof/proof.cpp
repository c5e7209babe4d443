#include "lab/proof/proof.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "lab/flow/torus_links.hpp"
#include "lab/proof/checker.hpp"

namespace shunt {

namespace {

/// Long enough for each taker of a stream to get a part of it.
Bytes stream_length(const Algorithm& algorithm) {
  return Bytes{1} << 20 << (algorithm.ranks() > 1024 ? 10 : 0);
}

class AlgorithmProver {
 public:
  explicit AlgorithmProver(const Algorithm& algorithm)
      : algorithm_(algorithm), ranks_(algorithm.ranks()) {}

  Proof prove(Rank destinations) {
    for (int stage = 0; stage < algorithm_.stages(); ++stage) prove_schedule(stage);
    const Rank followed = std::min(destinations, ranks_);
    for (Rank k = 0; k < followed; ++k) {
      follow(static_cast<Rank>(Bytes{k} * ranks_ / followed));
    }
    return std::move(proof_);
  }

 private:
  void prove_schedule(int stage) {
    peers_.emplace_back(static_cast<std::size_t>(ranks_));
    auto steps_of = [&](Rank rank) { return algorithm_.steps(stage, rank); };
    for (const std::string& sentence :
         check_schedule(ranks_, algorithm_.step_count(stage), steps_of)) {
      report(stage, sentence);
    }
    if (const Machine* const machine = algorithm_.port_contention_free_on()) {
      for (const std::string& sentence : check_node_ports(*machine, steps_of)) {
        report(stage, sentence);
      }
    }
    if (const Extents* const torus = algorithm_.link_contention_free_on())
      prove_links(stage, *torus);
    for (Rank rank = 0; rank < ranks_; ++rank) {
      std::vector<Rank>& peers = peers_.back()[static_cast<std::size_t>(rank)];
      int received = 0;
      for (const Step& step : steps_of(rank)) {
        if (step.to != kNoRank) peers.push_back(step.to);
        if (step.from != kNoRank) ++received;
      }
      std::ranges::sort(peers);
      const int stated = algorithm_.bound(stage, rank, {1, 1}).messages;
      if (received > stated) {
        report(stage, fmt::format("rank {} receives {} messages, more than the stated {}", rank,
                                  received, stated));
      }
    }
    ++proof_.schedules;
  }

  void prove_links(int stage, const Extents& torus) {
    std::vector<LinkMessage> messages;
    for (Rank rank = 0; rank < ranks_; ++rank) {
      for (const Step& step : algorithm_.steps(stage, rank)) {
        if (step.to < 0 || step.to >= ranks_) continue;
        messages.push_back({rank, step.to, algorithm_.way_round(stage, rank, step.to), 0});
      }
    }
    for (const std::string& sentence : check_links(torus, messages).violations) {
      report(stage, sentence);
    }
  }

  /// Follows the streams for `destination` from all ranks that may have a block for it.
  void follow(Rank destination) {
    std::vector<char> holds(static_cast<std::size_t>(ranks_), 0);
    for (Rank rank = 0; rank < ranks_; ++rank) {
      holds[static_cast<std::size_t>(rank)] = algorithm_.supports_pair(rank, destination) ? 1 : 0;
    }
    for (int stage = 0; stage < algorithm_.stages(); ++stage) {
      std::vector<char> next(static_cast<std::size_t>(ranks_), 0);
      for (Rank rank = 0; rank < ranks_; ++rank) {
        if (holds[static_cast<std::size_t>(rank)] == 0) continue;
        pieces_.clear();
        algorithm_.route(stage, rank, destination, stream_length(algorithm_), pieces_);
        check_pieces(stage, rank, destination);
        for (const Piece& piece : pieces_) {
          if (piece.to >= 0 && piece.to < ranks_) next[static_cast<std::size_t>(piece.to)] = 1;
        }
      }
      holds = std::move(next);
    }
    for (Rank rank = 0; rank < ranks_; ++rank) {
      if (holds[static_cast<std::size_t>(rank)] != 0 && rank != destination) {
        report(algorithm_.stages() - 1,
               fmt::format("data for rank {} ends at rank {}", destination, rank));
      }
    }
  }

  void check_pieces(int stage, Rank rank, Rank destination) {
    const std::vector<Rank>& peers =
        peers_[static_cast<std::size_t>(stage)][static_cast<std::size_t>(rank)];
    Bytes end = 0;
    for (const Piece& piece : pieces_) {
      if (piece.begin != end || piece.end <= piece.begin) {
        report(stage, fmt::format("rank {} cuts its stream for rank {} at {} and {}", rank,
                                  destination, end, piece.begin));
      }
      end = piece.end;
      if (!std::ranges::binary_search(peers, piece.to)) {
        report(stage, fmt::format("rank {} has data for rank {} and hands it to rank {}, to which "
                                  "it does not send",
                                  rank, destination, piece.to));
      } else if (is_detour(rank, piece.to, destination)) {
        report(stage, fmt::format("rank {} has data for rank {} and hands it to rank {}, which is "
                                  "not on a shortest path",
                                  rank, destination, piece.to));
      }
    }
    if (end != stream_length(algorithm_)) {
      report(stage, fmt::format("rank {} loses data for rank {}", rank, destination));
    }
  }

  /// Where links are spared: whether the way over `to` is longer than the straight one.
  [[nodiscard]] bool is_detour(Rank at, Rank to, Rank destination) const {
    const Extents* const torus = algorithm_.link_contention_free_on();
    return torus != nullptr &&
           torus_distance(*torus, at, to) + torus_distance(*torus, to, destination) >
               torus_distance(*torus, at, destination);
  }

  void report(int stage, const std::string& sentence) {
    proof_.violations.push_back(fmt::format("{} on {} ranks, stage {}: {}", algorithm_.name(),
                                            ranks_, stage + 1, sentence));
  }

  const Algorithm& algorithm_;
  Rank ranks_;
  std::vector<std::vector<std::vector<Rank>>> peers_;  ///< by stage and rank: whom it sends to
  std::vector<Piece> pieces_;
  Proof proof_;
};

}  // namespace

Proof prove(const Algorithm& algorithm, Rank destinations) {
  return AlgorithmProver(algorithm).prove(destinations);
}

}  // namespace shunt
