#include "lab/simulation/port_machine.hpp"

#include <cmath>

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt {

namespace {

void check_seconds(const char* what, double seconds) {
  if (std::isfinite(seconds) && seconds >= 0) return;
  throw Error(
      ErrorKind::argument,
      fmt::format("the {} of the machine is {} seconds, but must be 0 or more", what, seconds));
}

void check_ranks(const char* what, Rank has, Rank ranks) {
  if (has == ranks) return;
  throw Error(ErrorKind::argument,
              fmt::format("the {} of the machine has {} ranks, but {} ranks are to be simulated",
                          what, has, ranks));
}

PortNetwork network_of(const SimulatedMachine& machine, const Machine& layout, Posting posting) {
  if (machine.is_array() && machine.ranks_per_node == 1) {
    return ArrayLinks{machine.array_of_ranks(),
                      machine.topology == NetworkTopology::torus ? Rim::closed : Rim::open};
  }
  if (machine.topology == NetworkTopology::flat) {
    if (machine.ranks_per_node == 1 && posting == Posting::by_steps) return FlatNetwork{};
    return NodePorts{layout, machine.memory_start_up, machine.memory_per_byte, posting};
  }
  throw Error(
      ErrorKind::argument,
      fmt::format("{} is neither a flat machine nor a torus or mesh of one rank a node; the "
                  "model knows no others",
                  machine.name));
}

}  // namespace

PortMachine port_machine(const SimulatedMachine& machine, const Machine& layout, Posting posting) {
  return {network_of(machine, layout, posting),
          {machine.start_up, machine.per_byte, machine.copy_per_byte}};
}

void check_machine(const PortMachine& machine, Rank ranks) {
  check_seconds("start-up", machine.cost.start_up);
  check_seconds("time of a byte", machine.cost.per_byte);
  check_seconds("time of a copied byte", machine.cost.copy);
  if (const auto* const ports = std::get_if<NodePorts>(&machine.network)) {
    check_seconds("start-up inside nodes", ports->inside_start_up);
    check_seconds("time of a byte inside nodes", ports->inside_per_byte);
    check_ranks("set of nodes", ports->nodes.ranks(), ranks);
  }
  if (const auto* const links = std::get_if<ArrayLinks>(&machine.network)) {
    check_ranks(links->rim == Rim::closed ? "torus" : "mesh", links->dimensions.ranks(), ranks);
  }
}

}  // namespace shunt
