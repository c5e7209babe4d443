#include "tools/common/exchange_options.hpp"

#include "algorithms/registry.hpp"
#include "lab/traffic/patterns.hpp"
#include "model/node_layout.hpp"
#include "shunt/error.hpp"

namespace shunt {

void AlgorithmOptions::add_to(Command command) {
  command.add_option("--algorithm", algorithm, "Algorithm").shows_default().names_algorithms();
  command.add_option("-P,--ranks", ranks, "Number of ranks").between(1, 1 << 30);
  command.add_option("--nodes", nodes,
                     "Ranks on nodes: blocked:16, round-robin:4, the nodes' sizes\n"
                     "(4,4,2; then -P may be left out), or a file with the node of\n"
                     "each rank. Draws a line for each rank. Default: every rank is\n"
                     "a node");
  command.add_option("--grain", grain, "Blocks of at most so many bytes are not cut")
      .shows_default();
}

std::shared_ptr<const Machine> AlgorithmOptions::machine() const {
  if (!nodes.empty()) return std::make_shared<const Machine>(read_node_layout(nodes, ranks));
  if (ranks) return nullptr;
  throw Error(ErrorKind::argument, "--ranks is required, or --nodes with the sizes of the nodes");
}

std::unique_ptr<Algorithm> AlgorithmOptions::make(const Machine* machine) const {
  return machine != nullptr ? make_algorithm(algorithm, *machine, grain)
                            : make_algorithm(algorithm, *ranks, grain);
}

void TrafficOptions::add_to(Command command) {
  command.add_option("--traffic,--pattern", traffic,
                     "Follow this traffic: a pattern with its parameter\n(zipf:1.2), a .mtx or a "
                     ".shunt file");
  command.add_option("--maximum", shape.maximum, "Elements of its longest block").shows_default();
  command.add_option("--background", shape.background, "Elements of its small blocks")
      .shows_default();
  command.add_option("--seed", shape.seed, "Seed of its random numbers").shows_default();
  command.add_option("--element", element, "Bytes of an element").shows_default();
}

std::unique_ptr<Traffic> TrafficOptions::make(Rank ranks) const {
  TrafficShape sized = shape;
  sized.ranks = ranks;
  return make_traffic(traffic, sized);
}

}  // namespace shunt
