// What `shunt bench grid` measured, or simulated: cells, jobs, and the file that keeps them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "shunt/types.hpp"
#include "tools/simulate/predictions.hpp"

namespace shunt {

/// One configuration of the exchange of a cell.
struct GridWay {
  std::string algorithm;                ///< "auto"; MPI's own: see `is_native`
  std::vector<double> microseconds;     ///< of the slowest rank, by round
  std::vector<std::string> chosen;      ///< by "auto" in each round; simulated: empty
  std::optional<Prediction> predicted;  ///< by the model, where it had constants for the machine
};

/// Whether a way of this name is the MPI library's own: "native"; of SMPI as "alltoallv:ring".
[[nodiscard]] bool is_native(std::string_view algorithm);

/// One exchange, made by all configurations in turn, among them "auto" and MPI's own. These two
/// have equally many rounds, and others as many or, if they were clearly slower, fewer.
struct GridCell {
  std::string pattern;
  Bytes load = 0;     ///< bytes that a rank may send in all
  Bytes maximum = 0;  ///< elements of the longest block
  std::string form;   ///< "plan", "one-shot"
  std::vector<GridWay> ways;
};

/// Returns the number of rounds of "auto".
[[nodiscard]] std::size_t rounds_of(const GridCell& cell);

/// The cells of one number of ranks in one place.
struct GridJob {
  std::string where;  ///< a simulated machine, or an MPI library and its nodes
  Rank ranks = 1;
  Bytes exchanges = 0;
  Bytes unverified = 0;  ///< exchanges without real payload, which is more than a simulation keeps
  Bytes wrong_bytes = 0;
  nlohmann::json provenance;  ///< the command, the date, the machine; for readers
  std::vector<GridCell> cells;
};

/// The jobs as a file keeps them, with a line for each cell. `summary` is for a reader, and is
/// not read again.
[[nodiscard]] std::string grid_text(const std::vector<GridJob>& jobs,
                                    const nlohmann::json& summary);

/// The jobs in such a file. Throws Error(file) where it is none.
[[nodiscard]] std::vector<GridJob> read_grid_file(const std::string& path);

/// Returns the jobs in the text of such a file, which errors name as `source`. Throws as
/// `read_grid_file` does.
[[nodiscard]] std::vector<GridJob> parse_grid(const std::string& source, std::string_view text);

}  // namespace shunt
