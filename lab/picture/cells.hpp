// The coloured cells of a table, written as one path for each colour.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lab/picture/svg.hpp"

namespace shunt {

class Cells {
 public:
  /// Cells fill their places in a table; `apart` ones leave a rim.
  explicit Cells(bool apart) : apart_(apart) {}

  /// Cells of one colour come row by row, columns ascending.
  void add(int column, int row, const Colour& colour);

  /// Column 0 and row 0 begin at `corner`; `kind` names the paths.
  void draw(Svg& svg, Point corner, double width, double height, std::string_view kind) const;

 private:
  /// Cells side by side that have one colour.
  struct Run {
    int column;
    int row;
    int length;
  };

  bool apart_;
  std::map<std::string, std::vector<Run>> runs_;  ///< by colour
};

}  // namespace shunt
