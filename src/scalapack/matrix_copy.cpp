#include "scalapack/matrix_copy.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <mpi.h>

#include "context/context.hpp"
#include "engine/redistribution_run.hpp"
#include "mpi_calls/attribute.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "redistribution/redistribution.hpp"
#include "scalapack/blacs.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// What a process knows of one side.
struct SideRecord {
  GridPlace place;
  MatrixPart part;

  bool operator==(const SideRecord&) const = default;
};

/// What a process knows of a copy. Two with equal records can be made by one plan.
struct Record {
  int rows;
  int columns;
  int element;
  int transposed;
  SideRecord from;
  SideRecord to;

  bool operator==(const Record&) const = default;
};

SideRecord side_record(const MatrixPart& part) {
  SideRecord record{place_in(part.descriptor.context), part};
  MatrixDescriptor& descriptor = record.part.descriptor;
  // Nothing but the context is said outside the grid, and nobody looks at the type.
  if (record.place.row < 0) descriptor = {};
  descriptor.context = part.descriptor.context;
  descriptor.type = 0;
  return record;
}

Record record_of(const MatrixCopy& copy) {
  return {copy.rows,
          copy.columns,
          static_cast<int>(copy.element),
          copy.transposed ? 1 : 0,
          side_record(copy.from),
          side_record(copy.to)};
}

/// Whether two processes of a grid speak of one matrix.
bool describe_one(const MatrixDescriptor& a, const MatrixDescriptor& b) {
  return a.rows == b.rows && a.columns == b.columns && a.row_block == b.row_block &&
         a.column_block == b.column_block && a.first_row == b.first_row &&
         a.first_column == b.first_column;
}

Error disagreement(const char* what) {
  return {ErrorKind::argument, fmt::format("processes do not agree on {}", what)};
}

/// One side of all processes' records. Dimension d of the part lies along axes[d].
ArraySide side_of(const std::vector<Record>& records, SideRecord Record::*side, const char* what,
                  std::vector<std::size_t> axes) {
  const auto inside = std::ranges::find_if(
      records, [&](const Record& record) { return (record.*side).place.row >= 0; });
  if (inside == records.end()) {
    throw Error(ErrorKind::argument,
                fmt::format("no process of the context is in the grid of {}", what));
  }
  const auto& [grid, part] = (*inside).*side;
  const MatrixDescriptor& matrix = part.descriptor;
  ArraySide made{{{{matrix.rows, matrix.row_block, grid.rows, matrix.first_row},
                   {matrix.columns, matrix.column_block, grid.columns, matrix.first_column}},
                  {},
                  Order::column_major},
                 {part.row - 1, part.column - 1},
                 std::move(axes)};
  std::vector<Rank>& ranks = made.layout.ranks;
  const auto columns = static_cast<std::size_t>(grid.columns);
  ranks.assign(static_cast<std::size_t>(grid.rows) * columns, kNoRank);
  for (std::size_t rank = 0; rank < records.size(); ++rank) {
    const auto& [place, other] = records[rank].*side;
    if (other.row != part.row || other.column != part.column) {
      throw disagreement("where a part begins");
    }
    if (place.row < 0) continue;
    if (place.rows != grid.rows || place.columns != grid.columns) throw disagreement("a grid");
    if (!describe_one(other.descriptor, matrix)) throw disagreement("a descriptor");
    Rank& here = ranks[static_cast<std::size_t>(place.row) * columns +
                       static_cast<std::size_t>(place.column)];
    if (here != kNoRank) throw disagreement("a grid");
    here = static_cast<Rank>(rank);
  }
  if (std::ranges::find(ranks, kNoRank) != ranks.end()) {
    throw Error(ErrorKind::rank,
                fmt::format("a process of the grid of {} is not in the context of the copy", what));
  }
  return made;
}

/// ScaLAPACK's rule for how a process keeps its part; it takes a 0 from who has no rows.
void expect_leading(const ArraySide& side, const SideRecord& mine, const char* what) {
  if (mine.place.row < 0) return;
  const Index rows = side.layout.dimensions[0].count(mine.place.row);
  const int leading = mine.part.descriptor.leading;
  if (leading >= rows) return;
  throw Error(ErrorKind::argument,
              fmt::format("the leading dimension of {} is {}; it is at least the {} rows that this "
                          "process has",
                          what, leading, rows));
}

/// The communicator of a context.
MPI_Comm communicator_of(int context, const GridPlace& place) {
  int handle = 0;
  Cblacs_get(context, 10, &handle);
  const MPI_Comm comm = Cblacs2sys_handle(handle);
  Cfree_blacs_system_handle(handle);
  int size = 0;
  int rank = 0;
  check_mpi(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  if (size != place.rows * place.columns || rank != place.row * place.columns + place.column) {
    throw Error(ErrorKind::internal, "a context of these BLACS has no communicator of its own");
  }
  return comm;
}

/// The plans of a context: they go with its communicator.
class KeptCopies {
 public:
  explicit KeptCopies(MPI_Comm comm) : context_(Context::of(comm)) {}

  static KeptCopies& of(MPI_Comm comm) {
    using Kept = Attribute<OnCommunicator, KeptCopies>;
    KeptCopies* const found = Kept::find(comm);
    return found != nullptr ? *found : Kept::attach(comm, std::make_unique<KeptCopies>(comm));
  }

  RedistributionRun& run_for(const MatrixCopy& copy) {
    const Record mine = record_of(copy);
    const auto known = std::ranges::find(plans_, mine, &Plan::record);
    if (all_mean(known == plans_.end() ? kNone : known->number)) {
      plans_.splice(plans_.begin(), plans_, known);
    } else {
      if (known != plans_.end()) plans_.erase(known);
      plan(copy, mine);
    }
    return *plans_.front().run;
  }

 private:
  struct Plan {
    Record record;
    std::int64_t number;  ///< counted alike by all processes
    std::unique_ptr<RedistributionRun> run;
  };
  static constexpr std::int64_t kNone = -1;
  /// Plans keep memory.
  static constexpr std::size_t kMost = 32;

  /// Whether all processes have the plan of that number in mind.
  [[nodiscard]] bool all_mean(std::int64_t number) const {
    const std::array<std::int64_t, 2> mine{number, -number};
    std::array<std::int64_t, 2> least{};
    context_->progress.reduce(mine.data(), least.data(), 2, MPI_INT64_T, MPI_MIN);
    return least[0] == -least[1] && number != kNone;
  }

  void plan(const MatrixCopy& copy, const Record& mine);

  std::shared_ptr<Context> context_;
  std::list<Plan> plans_;  ///< the one used last first
  std::int64_t numbered_ = 0;
};

void KeptCopies::plan(const MatrixCopy& copy, const Record& mine) {
  std::vector<Record> records(static_cast<std::size_t>(context_->ranks()));
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallgather(&mine, sizeof(Record), MPI_BYTE, records.data(), sizeof(Record),
                           MPI_BYTE, context_->comm(), &request),
            "MPI_Iallgather");
  context_->progress.complete(request);
  for (const Record& record : records) {
    if (record.rows != mine.rows || record.columns != mine.columns ||
        record.element != mine.element || record.transposed != mine.transposed) {
      throw disagreement("what to copy");
    }
  }
  const std::vector<std::size_t> to_axes =
      copy.transposed ? std::vector<std::size_t>{1, 0} : std::vector<std::size_t>{0, 1};
  const Redistribution redistribution(
      side_of(records, &Record::from, "the matrix to copy", {0, 1}),
      side_of(records, &Record::to, "the matrix to copy to", to_axes), {copy.rows, copy.columns},
      context_->ranks());
  expect_leading(redistribution.from(), mine.from, "the matrix to copy");
  expect_leading(redistribution.to(), mine.to, "the matrix to copy to");
  const auto strides = [&](const MatrixPart& part) {
    return std::vector<Bytes>{copy.element, part.descriptor.leading * copy.element};
  };
  if (plans_.size() == kMost) plans_.pop_back();
  const std::vector<LocalRedistribution> one{
      {redistribution, strides(copy.from), strides(copy.to)}};
  plans_.push_front({mine, numbered_++,
                     std::make_unique<RedistributionRun>(context_, Options{}, one, copy.element,
                                                         MessageOrder::scheduled)});
}

}  // namespace

GridPlace place_in(int context) {
  GridPlace place;
  if (context >= 0) {
    Cblacs_gridinfo(context, &place.rows, &place.columns, &place.row, &place.column);
  }
  return place;
}

void copy_matrix(const MatrixCopy& copy, const void* from, void* to, ElementUpdate update) {
  const GridPlace place = place_in(copy.context);
  if (place.row < 0) {
    throw Error(ErrorKind::argument, "this process is not in the context of the copy");
  }
  KeptCopies& kept = KeptCopies::of(communicator_of(copy.context, place));
  RedistributionRun& run = kept.run_for(copy);
  run.bind({{static_cast<const std::byte*>(from), static_cast<std::byte*>(to), std::move(update)}});
  run.start();
  run.wait();
}

}  // namespace shunt
