// What an exchange, or an all-gather, puts on the links of a torus, as a picture.
#pragma once

#include <string>

#include "algorithms/algorithm.hpp"
#include "algorithms/allgather.hpp"
#include "lab/flow/torus_links.hpp"
#include "lab/traffic/traffic.hpp"
#include "model/machine.hpp"

namespace shunt {

/// Returns a torus with a stroke for every directed link, as SVG: its colour says how many bytes
/// the link carries in all stages together. Strokes leave the rank at which the link begins; those
/// of the last two dimensions reach to the neighbour, or over the rim where they go round.
/// `traffic` is in elements of `element` bytes. Throws Error(argument) for more than 256 ranks or
/// four dimensions, and for an algorithm that is not made for the links of a torus.
[[nodiscard]] std::string draw_links(const Algorithm& algorithm, const Traffic& traffic,
                                     Bytes element);

/// Returns the links of a torus, or of a mesh, on which an all-gather runs, drawn as those of an
/// exchange are; messages go as `follow_links` says.
[[nodiscard]] std::string draw_links(const Allgather& allgather, const Extents& array,
                                     Rim rim = Rim::closed);

}  // namespace shunt
