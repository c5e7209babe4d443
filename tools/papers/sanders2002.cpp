// Sanders, Traff: The Hierarchical Factor Algorithm for All-to-all Communication, Euro-Par 2002.
#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "algorithms/registry.hpp"
#include "lab/proof/checker.hpp"
#include "lab/proof/proof.hpp"
#include "lab/simulation/random_machine.hpp"
#include "schedule/node_pairing.hpp"
#include "tools/papers/reproduction.hpp"

namespace shunt {

namespace {

using Form = NodePairing::Form;

constexpr Rank kMostFactorRanks = 64;  ///< of the factor algorithm
constexpr int kMachines = 200;         ///< of random nodes
constexpr Rank kMostRandomNodes = 9;
constexpr Rank kLargestRandomNode = 6;

/// Nodes that stand for others: of the paper's Fig. 3, even and odd, equal and not.
struct Nodes {
  const char* name;
  Machine machine;
};

std::vector<Nodes> known_nodes() {
  return {{"1, 2, 3 (Fig. 3)", Machine::parse("1,2,3", std::nullopt)},
          {"6 nodes of 4", Machine::blocked(24, 4)},
          {"2, 4, 8, 16", Machine::parse("2,4,8,16", std::nullopt)},
          {"64 nodes of 8", Machine::blocked(512, 8)},
          {"9 nodes of 8", Machine::blocked(72, 8)}};
}

NodePairing schedule_of(const Machine& machine, Form form) {
  return {std::make_shared<const Machine>(machine), form};
}

double largest_node(const Machine& machine) { return machine.size_of(machine.largest_node()); }

/// Steps in which the largest node exchanges nothing with others, but moves its own messages.
double inefficient_steps(const NodePairing& schedule) {
  const Machine& machine = schedule.machine();
  const Rank node = machine.largest_node();
  std::set<int> inside;
  for (const Rank rank : machine.ranks_of(node)) {
    for (const Step& step : schedule.steps(rank)) {
      if (step.to != kNoRank && machine.node_of(step.to) == node) inside.insert(step.number);
    }
  }
  return static_cast<double>(inside.size());
}

Table step_table() {
  Table table({{"ranks of the nodes", Align::left},
               {"n P", Align::right, "largest_node_times_ranks"},
               {"as printed", Align::right, "printed_steps"},
               {"improved", Align::right, "improved_steps"},
               {"at least", Align::right, "least_steps"}});
  for (const Nodes& nodes : known_nodes()) {
    const Machine& machine = nodes.machine;
    const double largest = largest_node(machine);
    table.add({nodes.name, rounded(largest * machine.ranks(), 0),
               schedule_of(machine, Form::printed).step_count(),
               schedule_of(machine, Form::improved).round_steps(),
               rounded(largest * (machine.ranks() - largest), 0)});
  }
  return table;
}

std::vector<Claim> claims_on_factors() {
  Claim steps("Fig. 1", "the factor algorithm takes P steps");
  Claim proven("Lemma 1", "every rank meets every other once, in pairs");
  for (Rank ranks = 1; ranks <= kMostFactorRanks; ++ranks) {
    const std::string name = fmt::format("P = {}", ranks);
    const auto algorithm = make_algorithm("pairwise", ranks, 1);
    steps.expect_equal(name, ranks, algorithm->step_count(0));
    proven.expect_equal(name, 0, static_cast<double>(prove(*algorithm, ranks).violations.size()));
  }
  return {proven, steps};
}

std::vector<Claim> claims_on_random_nodes() {
  Claim proven("Fig. 2", "all is delivered, each message once, on nodes of any sizes");
  Claim ports("1", "no node has to do with two others in one step");
  Claim steps("Theorem 1", "n P steps, n the ranks of the largest node");
  Claim inefficient("Theorem 1", "at most n^2 of these are inefficient for the largest node");
  Claim improved("4", "improved: no more steps between nodes than printed");
  for (int seed = 1; seed <= kMachines; ++seed) {
    const Machine machine =
        random_machine(static_cast<std::uint64_t>(seed), kMostRandomNodes, kLargestRandomNode);
    const std::string name = fmt::format("random nodes {}", seed);
    const NodePairing printed = schedule_of(machine, Form::printed);
    const double largest = largest_node(machine);
    const auto algorithm = make_algorithm("node-pairwise:printed", machine, 1);
    proven.expect_equal(name, 0,
                        static_cast<double>(prove(*algorithm, machine.ranks()).violations.size()));
    const auto shared = check_node_ports(machine, [&](Rank rank) { return printed.steps(rank); });
    ports.expect_equal(name, 0, static_cast<double>(shared.size()));
    steps.expect_equal(name, largest * machine.ranks(), printed.step_count());
    const double inside = inefficient_steps(printed);
    inefficient.try_case(name, inside <= largest * largest, largest * largest, inside);
    const int rounds = schedule_of(machine, Form::improved).round_steps();
    improved.try_case(name, rounds <= printed.step_count(), printed.step_count(), rounds);
  }
  return {proven, ports, steps, inefficient, improved};
}

std::vector<Claim> claims_on_known_nodes() {
  Claim figure("Fig. 3", "nodes of 1, 2 and 3 ranks take 15 steps");
  figure.expect_equal(
      "1,2,3", 15, schedule_of(Machine::parse("1,2,3", std::nullopt), Form::printed).step_count());
  Claim least("4", "improved: the least steps between nodes, n (P - n)");
  for (const Nodes& nodes : known_nodes()) {
    const double largest = largest_node(nodes.machine);
    least.expect_equal(nodes.name, largest * (nodes.machine.ranks() - largest),
                       schedule_of(nodes.machine, Form::improved).round_steps());
  }
  return {figure, least};
}

}  // namespace

Reproduction reproduce_sanders2002() {
  Reproduction paper;
  paper.paper = "Sanders 2002: The Hierarchical Factor Algorithm for All-to-all Communication";
  paper.numbers.push_back(
      {"steps",
       "Steps by the rule as printed; those in which nodes are paired, with "
       "Section 4's\nhint worked out; and the least of any schedule, n (P - n):",
       step_table()});
  for (const auto& claims :
       {claims_on_factors(), claims_on_known_nodes(), claims_on_random_nodes()}) {
    paper.claims.insert(paper.claims.end(), claims.begin(), claims.end());
  }
  return paper;
}

}  // namespace shunt
