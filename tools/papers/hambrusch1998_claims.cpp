// What Hambrusch 1998 claims of what can be counted from schedules, and followed on one port a
// rank.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "algorithms/allgather_registry.hpp"
#include "lab/flow/allgather_flow.hpp"
#include "lab/traffic/source_patterns.hpp"
#include "tools/papers/hambrusch1998.hpp"

namespace shunt::hambrusch1998 {

namespace {

constexpr Rank kMostFig2Ranks = 256;  ///< of Fig. 2

/// av_msg_lgth is ((s-1) + s(k-l)) / k, and av_act_proc (s l + 2p - 2s) / k; p = 2^k.
std::vector<Claim> claims_on_metrics() {
  Claim length("Fig. 2", "Br_Lin, s = 2^l: av_msg_lgth");
  Claim active("Fig. 2", "Br_Lin, s = 2^l: av_act_proc");
  Claim less("Fig. 2", "Br_Lin, s = 2^l - 1: shorter messages");
  Claim congestion("Fig. 2", "congestion: 2-Step s, others 2 at most");
  for (int k = 2; Rank{1} << k <= kMostFig2Ranks; ++k) {
    const Rank ranks = 1 << k;
    const auto metrics = [&](const char* name, Rank s) {
      const Sources sources = with_equal_blocks(
          ranks, place_sources("equal", {.array = Extents({ranks}), .count = s}), 1);
      return metrics_of(*make_allgather(name, sources),
                        name == kFive[1].second ? Iteration::step : Iteration::stage);
    };
    for (int l = 0; l <= k; ++l) {
      const Rank s = 1 << l;
      const std::string name = fmt::format("p = {}, s = {}", ranks, s);
      const AllgatherMetrics lin = metrics("recursive-halving", s);
      length.expect_equal(name, ((s - 1.0) + s * (k - l)) / k, lin.average_length);
      active.expect_equal(name, (s * l + 2.0 * ranks - 2.0 * s) / k, lin.average_active);
      if (l > 1 && l < k) {
        const double other = metrics("recursive-halving", s - 1).average_length;
        less.try_case(name, other < lin.average_length, lin.average_length, other);
      }
      if (l == 0) continue;
      // Rank 0, which gathers, is a source itself.
      const double gathered = metrics(kFive[0].second, s).congestion;
      congestion.try_case(name + ", 2-Step", gathered >= s - 1 && gathered <= s, s, gathered);
      congestion.try_case(name + ", Br_Lin", lin.congestion <= 2, 2, lin.congestion);
      const double direct = metrics(kFive[1].second, s).congestion;
      congestion.try_case(name + ", PersAlltoAll", direct <= 2, 2, direct);
    }
  }
  return {length, active, less, congestion};
}

/// Ranks that hold anything after the first iteration.
Rank holders_after_one(const Allgather& allgather) {
  Rank holders = 0;
  for (Rank rank = 0; rank < allgather.ranks(); ++rank) {
    bool holds = allgather.sources().is_source(rank);
    for (const Step& step : allgather.steps(0, rank)) holds = holds || step.from != kNoRank;
    if (holds) ++holders;
  }
  return holders;
}

std::vector<Claim> claims_on_distributions() {
  Claim rows("4", "Br_xy_source, R(20): none new at first");
  rows.expect_equal("rows 1 and 6", 20,
                    holders_after_one(*made("halving-by-source", {"R", 20, 1, "10x10"})));
  Claim moved("4", "the same, rows 1 and 7: some new");
  std::vector<Rank> first_and_seventh;
  for (Rank column = 0; column < 10; ++column) {
    first_and_seventh.insert(first_and_seventh.end(), {column, 60 + column});
  }
  const double holders = holders_after_one(
      *make_allgather("halving-by-source:10x10", with_equal_blocks(100, first_and_seventh, 1)));
  moved.try_case("rows 1 and 7", holders > 20, 40, holders);
  Claim diagonal("4", "Br_Lin, Dr(10): none new at first");
  const Sources sources = sources_of({"Dr", 10, 1, "10x10"});
  for (const auto& [shown, name] :
       {std::pair{"Br_Lin", "recursive-halving"}, {"Br_Lin:10x10", "recursive-halving:10x10"}}) {
    diagonal.expect_equal(shown, 10, holders_after_one(*make_allgather(name, sources)));
  }
  Claim left("4", "Br_Lin: Dl no slower than first ranks");
  for (Rank s = 10; s <= 90; s += 10) {
    std::vector<Rank> first(static_cast<std::size_t>(s));
    std::iota(first.begin(), first.end(), 0);
    const auto ideal = make_allgather("recursive-halving", with_equal_blocks(100, first, 2048));
    const double least = seconds_of(follow_allgather(*ideal), 100, kParagon) * 1e3;
    const double found = seconds("recursive-halving", {"Dl", s, 2048, "10x10"}) * 1e3;
    left.try_case(fmt::format("s = {}, ms", s), found <= least, least, found);
  }
  return {rows, moved, diagonal, left};
}

/// Whether the three of Br_ are ahead of one of the five at every point.
Claim behind(const LineChart& chart, const char* place, const char* sentence, std::size_t other) {
  Claim claim(place, sentence);
  const auto& curves = chart.panels.front().curves;
  for (std::size_t i = 0; i < curves[other].points.size(); ++i) {
    const Point& theirs = curves[other].points[i];
    for (std::size_t br = kFirstBr; br < curves.size(); ++br) {
      claim.try_case(fmt::format("{} at {}, ms", curves[br].name, theirs.x),
                     curves[br].points[i].y < theirs.y, theirs.y * 1e3,
                     curves[br].points[i].y * 1e3);
    }
  }
  return claim;
}

std::vector<Claim> claims_on_times(const LineChart& by_sources, const LineChart& by_length) {
  Claim alike("Fig. 3", "Br_.. within a quarter of each other");
  for (const LineChart* const chart : {&by_sources, &by_length}) {
    const auto& curves = chart->panels.front().curves;
    for (std::size_t i = 0; i < curves.front().points.size(); ++i) {
      std::vector<double> times;
      for (std::size_t br = kFirstBr; br < curves.size(); ++br) {
        times.push_back(curves[br].points[i].y);
      }
      const auto [least, most] = std::ranges::minmax(times);
      alike.try_case(fmt::format("{}", curves.front().points[i].x), most <= 1.25 * least, 1.25,
                     most / least);
    }
  }
  Claim flat("Fig. 4", "PersAlltoAll hardly grows to 1 KiB");
  const auto& direct = by_length.panels.front().curves[1].points;
  for (const Point& point : direct) {
    if (point.x > 1024) continue;
    flat.try_case(fmt::format("{} bytes", point.x), point.y < 1.2 * direct.front().y, 1.2,
                  point.y / direct.front().y);
  }
  Claim spread("Fig. 7", "80 KiB: faster from more sources");
  const Rank counts[] = {1, 5, 10, 20, 40};
  for (std::size_t i = 1; i < std::size(counts); ++i) {
    const double fewer =
        seconds("halving-by-source", {"Dr", counts[i - 1], 81920 / counts[i - 1], "10x10"});
    const double more = seconds("halving-by-source", {"Dr", counts[i], 81920 / counts[i], "10x10"});
    spread.try_case(fmt::format("{} sources, ms", counts[i]), more < fewer, fewer * 1e3,
                    more * 1e3);
  }
  return {behind(by_sources, "Fig. 3", "2-Step slower than Br_..", 0),
          behind(by_sources, "Fig. 3", "PersAlltoAll slower than Br_..", 1),
          behind(by_length, "Fig. 4", "2-Step slower than Br_..", 0),
          behind(by_length, "Fig. 4", "PersAlltoAll slower than Br_..", 1),
          alike,
          flat,
          spread};
}

std::vector<Claim> claims_on_figure_6() {
  const auto time = [](const char* name, const char* letter) {
    return seconds(name, {letter, 30, 2048, "10x10"}) * 1e3;
  };
  Claim same("Fig. 6", "Br_xy_source: R, C, E, Dr alike");
  Claim hard("Fig. 6", "Br_xy_source: Cr, Sq take longer");
  Claim lin("Fig. 6", "Br_Lin is the fastest on Cr and Sq");
  const double row = time("halving-by-source", "R");
  for (const char* letter : {"R", "C", "E", "Dr"}) {
    const double easy = time("halving-by-source", letter);
    same.try_case(letter, std::abs(easy - row) <= 0.25 * row, row, easy);
    for (const char* other : {"Cr", "Sq"}) {
      const double found = time("halving-by-source", other);
      hard.try_case(fmt::format("{}, {}, ms", letter, other), found > easy, easy, found);
    }
  }
  for (const char* letter : {"Cr", "Sq"}) {
    for (const auto& [shown, name] : std::span(kFive).subspan(kFirstBr + 1)) {
      const double other = time(name, letter);
      const double found = time("recursive-halving", letter);
      lin.try_case(fmt::format("{}, {}, ms", letter, shown), found < other, other, found);
    }
  }
  Claim dimension("Fig. 6", "Br_xy_dim takes a fifth longer on R");
  const double found = time("halving-by-shape", "R");
  dimension.try_case("ratio", found > 1.2 * row, 1.2, found / row);
  return {same, hard, lin, dimension};
}

std::vector<Claim> claims_on_repositioning() {
  Claim pays("Fig. 9", "repositioning pays for Cr and Sq");
  Claim band("Fig. 9", "it costs B at most 6.5 %");
  Claim tapers("Fig. 9", "Cr, Sq gain less at s = 192 than 48");
  const auto at = [](const char* letter, Rank s) { return gain({letter, s, 6144, "16x16"}); };
  for (Rank s = 16; s <= 192; s += 16) {
    for (const char* letter : {"Cr", "Sq"}) {
      const double found = at(letter, s);
      pays.try_case(fmt::format("{}({}), %", letter, s), found > 0, 0, found);
    }
    const double found = at("B", s);
    band.try_case(fmt::format("B({}), %", s), found >= -6.5, -6.5, found);
  }
  for (const char* letter : {"Cr", "Sq"}) {
    const double few = at(letter, 48);
    const double many = at(letter, 192);
    tapers.try_case(fmt::format("{}, %", letter), many < few, few, many);
  }
  Claim grows("Fig. 10", "the gain grows from 128 B to 4 KiB");
  Claim shorter("Fig. 10", "below 1 KiB it pays for Cr alone");
  for (const char* letter : kMoved) {
    const double few = gain({letter, 75, 128, "16x16"});
    const double many = gain({letter, 75, 4096, "16x16"});
    grows.try_case(fmt::format("{}, %", letter), many > few, few, many);
    for (const Bytes length : {128, 256, 512}) {
      const double found = gain({letter, 75, length, "16x16"});
      const bool is_cross = std::string_view(letter) == "Cr";
      shorter.try_case(fmt::format("{}, {} bytes, %", letter, length), (found > 0) == is_cross, 0,
                       found);
    }
  }
  return {pays, band, tapers, grows, shorter};
}

}  // namespace

std::vector<Claim> claims(const LineChart& by_sources, const LineChart& by_length) {
  std::vector<Claim> all;
  for (const auto& some :
       {claims_on_metrics(), claims_on_distributions(), claims_on_times(by_sources, by_length),
        claims_on_figure_6(), claims_on_repositioning()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace shunt::hambrusch1998
