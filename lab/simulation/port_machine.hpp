// The machines that the pure model can simulate an exchange on.
#pragma once

#include <variant>

#include "lab/flow/torus_links.hpp"
#include "lab/simulation/machine_file.hpp"
#include "model/loads.hpp"
#include "model/machine.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Every rank has a port in and a port out, and the network between them is never busy.
struct FlatNetwork {};

/// When the messages of a stage are posted, and with that, what a port has to do at a time.
enum class Posting {
  by_steps,  ///< as the schedule says: one message
  at_once    ///< all of a stage: any number of messages, which share it
};

/// The ranks of a node share one port in and one port out. Messages inside a node do not use them;
/// those that are posted at once share its memory.
struct NodePorts {
  Machine nodes;
  double inside_start_up = 0;  ///< seconds a message
  double inside_per_byte = 0;  ///< seconds a byte
  Posting posting = Posting::by_steps;
};

/// A torus, or with an open rim a mesh: every rank has a link to and one from each of its
/// neighbours, and all of them work at once.
struct ArrayLinks {
  Extents dimensions;
  Rim rim = Rim::closed;
};

using PortNetwork = std::variant<FlatNetwork, NodePorts, ArrayLinks>;

/// `cost.start_up` keeps the sender busy; then the message takes `cost.per_byte` for each byte on
/// its ports or links. `cost.copy` is a rank's time to copy a byte.
struct PortMachine {
  PortNetwork network;
  LinkCost cost;
};

/// What the pure model sees of a machine file's machine with the ranks of `layout`: flat networks,
/// and tori and meshes of one rank a node, where all is posted at once. Throws Error(argument) for
/// others.
[[nodiscard]] PortMachine port_machine(const SimulatedMachine& machine, const Machine& layout,
                                       Posting posting = Posting::by_steps);

/// Throws Error(argument) where a machine is not one for `ranks` ranks, or a cost is no number of
/// seconds.
void check_machine(const PortMachine& machine, Rank ranks);

}  // namespace shunt
