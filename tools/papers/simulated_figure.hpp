// Figures of times on simulated machines: what is to be simulated for them, and the figures.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "lab/picture/line_chart.hpp"
#include "tools/simulate/simulation.hpp"

namespace shunt {

/// An exchange, or an all-gather, on a simulated machine.
struct SimulatedPoint {
  std::string machine;  ///< a name of the library
  std::string nodes;    ///< "4,4,2"; empty: `ranks` ranks fill the nodes in order
  Rank ranks = 0;
  std::string pattern;  ///< of an exchange; of an all-gather its name
  Bytes maximum = 0;    ///< elements of the longest block
  int element = 1;
  std::string array = {};          ///< of an all-gather, and the extents of a torus or mesh
  std::vector<Rank> sources = {};  ///< of an all-gather; none: this is an exchange

  friend auto operator<=>(const SimulatedPoint&, const SimulatedPoint&) = default;
};

struct SimulatedCurve {
  std::string name;
  bench::SimulatedWay way;  ///< an algorithm whose name ends in ':' takes the array of the point
};

/// One pair of axes: an exchange for each x, and the ways to make it.
struct SimulatedPanel {
  struct At {
    double x;
    SimulatedPoint point;
  };

  std::string title;
  std::vector<At> at;
  std::vector<SimulatedCurve> curves;
};

/// A figure before its times are known.
struct SimulatedFigure {
  LineChart frame;  ///< without panels
  std::vector<SimulatedPanel> panels;
};

/// Simulates what the figures need, each exchange in one run, and reports its progress on standard
/// error. `built_in` is what SMPI does in MPI's own collectives, or empty. Throws
/// Error(communication) where a simulation fails or bytes are wrong.
[[nodiscard]] std::vector<LineChart> simulated(const std::vector<SimulatedFigure>& figures,
                                               const std::string& built_in);

}  // namespace shunt
