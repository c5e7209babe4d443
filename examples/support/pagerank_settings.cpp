#include "support/pagerank_settings.hpp"

#include "tools/common/command_line.hpp"

namespace shunt::example {

std::optional<int> read_settings(PageRankSettings& settings, int argc, char** argv, Rank rank) {
  CLI::App app{
      "PageRank: which packages does a distribution rest on? The graph's vertices are\n"
      "dealt to the ranks in blocks. Prints the first ten, and the time of an iteration\n"
      "with a plan of Shunt and with MPI_Alltoallv; the result is compared with a\n"
      "serial run.\n"
      "Start it by mpirun: mpirun -n 8 pagerank",
      "pagerank"};
  app.add_option("--graph", settings.graph, "File of the graph")
      ->check(CLI::ExistingFile)
      ->capture_default_str();
  app.add_option("--iterations", settings.iterations, "Number of iterations")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  return parse_command_line(app, argc, argv, rank == 0);
}

}  // namespace shunt::example
