// Which ranks share a node, as users say it: in a word, or in a file.
#pragma once

#include <optional>
#include <string>

#include "model/machine.hpp"

namespace shunt {

/// The machine that `text` describes: as Machine::parse reads it, or else the name of a text file
/// with the number of a node for each rank, in their order, separated by white space. Throws
/// Error(argument) where the text is of a form of Machine::parse but wrong, where it is none and
/// there is no such file either, and where the file does not have `ranks` numbers of nodes, if that
/// is given; Error(file) where it cannot be read.
[[nodiscard]] Machine read_node_layout(const std::string& text, std::optional<Rank> ranks);

}  // namespace shunt
