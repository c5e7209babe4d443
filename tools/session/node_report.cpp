#include "tools/session/node_report.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include <mpi.h>

#include "algorithms/alltoall/array_exchange.hpp"
#include "algorithms/registry.hpp"
#include "bindings/c/mpi_faults.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "shunt/error.hpp"
#include "shunt/options.hpp"
#include "tools/common/hardware.hpp"
#include "transport/node.hpp"

namespace shunt {

namespace {

std::string host_name() {
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  check_mpi(MPI_Get_processor_name(name, &length), "MPI_Get_processor_name");
  return name;
}

nlohmann::json four_stage_array(Rank ranks) {
  const auto algorithm = make_algorithm("four-stage", ranks, Options{}.grain);
  const NodeArray array = dynamic_cast<const ArrayExchange&>(*algorithm).hierarchy().top().array;
  return {{"columns", array.columns()}, {"rows", array.rows()}, {"remainder", array.remainder()}};
}

/// What this rank says of its node: all there is, if it is the first there, else nothing; or what
/// is wrong. The others wait for it, so nothing is thrown.
std::string own_words() noexcept try {
  const Node node(MPI_COMM_WORLD);
  if (node.place() != 0) return "";
  return nlohmann::json{{"host", host_name()},
                        {"ranks", node.ranks()},
                        {"processors", node.processors()},
                        {"shared_bytes_per_rank", node.share_bytes()},
                        {"hardware", describe_hardware()}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
} catch (const std::exception& error) {
  return nlohmann::json{{"fault", error.what()}}.dump(-1, ' ', false,
                                                      nlohmann::json::error_handler_t::replace);
}

/// The words of all ranks, on rank 0.
std::vector<std::string> gather(const std::string& mine, int ranks) {
  const int length = static_cast<int>(mine.size());
  std::vector<int> lengths(static_cast<std::size_t>(ranks));
  check_mpi(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD),
            "MPI_Gather");
  std::vector<int> begins(lengths.size());
  std::exclusive_scan(lengths.begin(), lengths.end(), begins.begin(), 0);
  std::string all(static_cast<std::size_t>(begins.back() + lengths.back()), ' ');
  check_mpi(MPI_Gatherv(mine.data(), length, MPI_CHAR, all.data(), lengths.data(), begins.data(),
                        MPI_CHAR, 0, MPI_COMM_WORLD),
            "MPI_Gatherv");
  std::vector<std::string> words;
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    words.push_back(
        all.substr(static_cast<std::size_t>(begins[k]), static_cast<std::size_t>(lengths[k])));
  }
  return words;
}

}  // namespace

nlohmann::json describe_nodes() {
  int rank = 0;
  int ranks = 1;
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size");
  const std::vector<std::string> all = gather(own_words(), ranks);
  if (rank != 0) return nullptr;
  const char* layout = std::getenv("SHUNT_NODES");
  nlohmann::json report = {{"ranks", ranks},
                           {"mpi", mpi_library()},
                           {"shunt_nodes", nullptr},
                           {"four_stage_array", four_stage_array(ranks)},
                           {"nodes", nlohmann::json::array()},
                           {"mpi_faults", nlohmann::json::array()}};
  for (const c::MpiFault* fault : c::faults_of_this_mpi()) {
    report["mpi_faults"].push_back(
        {{"function", fault->function}, {"with", fault->meets}, {"happens", fault->happens}});
  }
  if (layout != nullptr) report["shunt_nodes"] = layout;
  for (const std::string& words : all) {
    if (words.empty()) continue;
    nlohmann::json node = nlohmann::json::parse(words);
    if (node.contains("fault")) throw Error(ErrorKind::argument, node["fault"].get<std::string>());
    node["node"] = report["nodes"].size();
    report["nodes"].push_back(std::move(node));
  }
  return report;
}

}  // namespace shunt
