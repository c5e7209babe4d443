#include "context/runs.hpp"

#include <algorithm>

#include "model/narrow.hpp"
#include "mpi_calls/mpi_call.hpp"

namespace shunt {

void append_run(std::vector<Run>& runs, const Run& run) {
  if (!runs.empty() && runs.back().offset + runs.back().length == run.offset) {
    runs.back().length += run.length;
  } else {
    runs.push_back(run);
  }
}

RunsType::RunsType(std::span<const Run> pieces) {
  constexpr Bytes kLongest = Bytes{1} << 30;  // MPI's lengths are ints
  std::vector<int> lengths;
  std::vector<MPI_Aint> places;
  for (const Run& piece : pieces) {
    for (Bytes done = 0; done < piece.length; done += kLongest) {
      lengths.push_back(static_cast<int>(std::min(piece.length - done, kLongest)));
      places.push_back(static_cast<MPI_Aint>(piece.offset - pieces.front().offset + done));
    }
  }
  check_mpi(MPI_Type_create_hindexed(narrow<int>(lengths.size(), "the pieces of a message"),
                                     lengths.data(), places.data(), MPI_BYTE, &type_),
            "MPI_Type_create_hindexed");
  check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
}

RunsType::~RunsType() {
  if (type_ != MPI_DATATYPE_NULL && mpi_is_running()) MPI_Type_free(&type_);
}

}  // namespace shunt
