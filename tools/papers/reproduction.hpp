// What became of a paper: its tables, its figures, and its claims, each tried on many cases.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "lab/picture/line_chart.hpp"
#include "shunt/types.hpp"
#include "tools/common/table.hpp"

namespace shunt {

/// A claim, and in how many of the cases on which it was tried it holds.
class Claim {
 public:
  /// `place` is where the paper says so.
  Claim(std::string place, std::string sentence)
      : place_(std::move(place)), sentence_(std::move(sentence)) {}

  /// A case. What the paper says and what was found are only kept of the first that differ.
  void try_case(const std::string& name, bool holds, double published, double found);
  /// A case in which both have to be the same.
  void expect_equal(const std::string& name, double published, double found) {
    try_case(name, published == found, published, found);
  }

  [[nodiscard]] std::string verdict() const;
  [[nodiscard]] std::vector<Cell> cells() const;

  /// What `cells` are.
  [[nodiscard]] static std::vector<Column> columns();

 private:
  std::string place_;
  std::string sentence_;
  int cases_ = 0;
  int holding_ = 0;
  std::string exception_;
};

struct Reproduction {
  /// Numbers that the paper has as a table or a figure.
  struct Numbers {
    std::string name;
    std::string caption;
    Table table;
  };

  struct Figure {
    std::string file;  ///< "liu2005-figure-6", without ending
    LineChart chart;
  };

  std::string paper;
  std::vector<Numbers> numbers;
  std::vector<Figure> figures;
  std::vector<Claim> claims;
  std::vector<Claim> simulated;  ///< claims on times, tried in the simulator
  std::string left_out;          ///< a sentence, or nothing

  [[nodiscard]] std::string text() const;
  [[nodiscard]] nlohmann::json json() const;
};

/// What a table says of a curve: y in a unit, to so many digits after the point.
struct Quantity {
  const char* key;
  double unit;
  int decimals;
};

/// The points of all curves: a line for each panel and x; in JSON a row for each curve's. All
/// curves of a panel have the same x.
[[nodiscard]] Table table_of(const LineChart& chart, const Column& panels, const Column& x,
                             const Quantity& y);

/// The curve of that name.
[[nodiscard]] const Curve& curve_of(const Panel& panel, const std::string& name);

/// Tries a claim at every point of a panel of times: whether curve `winner` is below curve `other`.
void try_ahead(Claim& claim, const Panel& panel, const std::string& winner,
               const std::string& other);

/// One paper each.
[[nodiscard]] Reproduction reproduce_guo2000();
[[nodiscard]] Reproduction reproduce_hambrusch1998();
[[nodiscard]] Reproduction reproduce_liu2002();
[[nodiscard]] Reproduction reproduce_liu2005();
[[nodiscard]] Reproduction reproduce_sanders2002();

/// What a paper measured, on simulated machines of up to `most_ranks` ranks: adds it to `paper`.
/// Throws Error where something cannot be simulated.
void simulate_hambrusch1998(Rank most_ranks, Reproduction& paper);
void simulate_liu2002(Rank most_ranks, Reproduction& paper);
void simulate_sanders2002(Rank most_ranks, Reproduction& paper);

}  // namespace shunt
