// The edge shuffle as one writes it by hand with the MPI library alone.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <mpi.h>

#include "edge_traffic.hpp"
#include "int_layout.hpp"
#include "shunt/shunt.hpp"

namespace shunt::example {

class NativeExchange {
 public:
  NativeExchange() {
    MPI_Type_contiguous(sizeof(Edge), MPI_BYTE, &edge_);
    MPI_Type_commit(&edge_);
  }
  NativeExchange(const NativeExchange&) = delete;
  NativeExchange& operator=(const NativeExchange&) = delete;
  ~NativeExchange() { MPI_Type_free(&edge_); }

  void alltoallv(const Edge* send, const IntLayout& out, Edge* receive, const IntLayout& in) const {
    MPI_Alltoallv(send, out.counts.data(), out.displacements.data(), edge_, receive,
                  in.counts.data(), in.displacements.data(), edge_, MPI_COMM_WORLD);
  }

  /// Counts the records for each rank, sorts them, exchanges the counts, then the records. The
  /// result is valid until the next call. Like Shunt it takes new memory that nobody has zeroed.
  std::span<const Edge> records(std::span<const Edge> records, std::span<const Rank> destinations,
                                Rank ranks) {
    std::vector<Bytes> counts(static_cast<std::size_t>(ranks));
    for (const Rank to : destinations) ++counts[static_cast<std::size_t>(to)];
    const IntLayout out(Layout::packed(counts));
    const auto sorted = std::make_unique_for_overwrite<Edge[]>(records.size());
    std::vector<int> next = out.displacements;
    for (std::size_t i = 0; i < records.size(); ++i) {
      sorted[static_cast<std::size_t>(next[static_cast<std::size_t>(destinations[i])]++)] =
          records[i];
    }
    std::vector<int> incoming(counts.size());
    MPI_Alltoall(out.counts.data(), 1, MPI_INT, incoming.data(), 1, MPI_INT, MPI_COMM_WORLD);
    const IntLayout in(Layout::packed(incoming));
    const auto length = static_cast<std::size_t>(in.displacements.back() + in.counts.back());
    received_ = std::make_unique_for_overwrite<Edge[]>(length);
    alltoallv(sorted.get(), out, received_.get(), in);
    return {received_.get(), length};
  }

 private:
  MPI_Datatype edge_ = MPI_DATATYPE_NULL;
  std::unique_ptr<Edge[]> received_;
};

}  // namespace shunt::example
