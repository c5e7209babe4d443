// How much processor time redistributions of square matrices take: Shunt's plans, from any memory
// and from that of the node, its pdgemr2d, and ScaLAPACK's, beside memcpy of what each rank has.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>
#include <sys/resource.h>

#include "shunt/shunt.hpp"
#include "tools/common/table.hpp"
#include "tools/scalapack/blacs_grid.hpp"
#include "tools/scalapack/gemr2d_settings.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): the name is theirs.
extern "C" void Cpdgemr2d(int rows, int columns, const double* from, int row, int column,
                          const int* from_descriptor, double* to, int to_row, int to_column,
                          const int* to_descriptor, int context);

namespace shunt::bench {
namespace {

using Gemr2d = decltype(&Cpdgemr2d);

/// From one grid and blocks to others. Blocks of 0: one block a rank.
struct Case {
  const char* name;
  int from_block;
  int to_block;
  int from_rows;
  int to_rows;
};

int world_size() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// Of the grid of all ranks that is nearest to a square.
int square_rows() {
  int rows = 1;
  for (int k = 1; k * k <= world_size(); ++k) {
    if (world_size() % k == 0) rows = k;
  }
  return rows;
}

std::vector<Case> cases() {
  const int rows = square_rows();
  const int columns = world_size() / rows;
  return {{"64 -> 32", 64, 32, rows, rows},
          {"6 -> 2", 6, 2, rows, rows},
          {"block -> 64", 0, 64, rows, rows},
          {"r x c -> c x r", 64, 64, rows, columns},
          {"1 x P -> P x 1", 64, 64, 1, world_size()},
          {"identical", 64, 64, rows, rows}};
}

BlacsMatrix matrix_of(int order, int block, int rows) {
  const int columns = world_size() / rows;
  const auto part = [&](int places) { return block > 0 ? block : (order + places - 1) / places; };
  return {order, part(rows), part(columns), rows, columns};
}

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Of all ranks together, for one of `times` runs.
double cost_of(int times, const std::function<void()>& run) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = processor_seconds();
  for (int k = 0; k < times; ++k) run();
  double seconds = processor_seconds() - begin;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return seconds / times;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// Seconds.
struct Costs {
  double copy;  ///< by memcpy
  double plan;
  double shared;  ///< the plan from a SharedArray
  double drop_in;
  double scalapacks;
  long wrong;
};

Costs costs_of(Communicator& communicator, Gemr2d scalapacks, const Case& which, int order,
               int rounds) {
  BlacsMatrix from = matrix_of(order, which.from_block, which.from_rows);
  BlacsMatrix to = matrix_of(order, which.to_block, which.to_rows);
  const BlacsGrid all(1, world_size());
  from.fill();
  std::vector<double> copy(from.part.size());
  auto array = communicator.shared_array<double>(std::ssize(from.part));
  std::ranges::copy(from.part, array.begin());
  const auto plan_from = [&](std::span<const double> part) {
    return communicator.plan_redistribution<double>({from.layout, part},
                                                    {to.layout, std::span<double>(to.part)});
  };
  Plan plan = plan_from(from.part);
  Plan shared = plan_from({array.data(), array.size()});
  const auto call = [&](Gemr2d gemr2d) {
    gemr2d(order, order, from.part.data(), 1, 1, from.descriptor.data(), to.part.data(), 1, 1,
           to.descriptor.data(), all.context());
  };
  const std::vector<std::function<void()>> ways = {
      [&] { std::memcpy(copy.data(), from.part.data(), copy.size() * sizeof(double)); },
      [&] { plan.execute(); }, [&] { shared.execute(); }, [&] { call(Cpdgemr2d); },
      [&] { call(scalapacks); }};
  std::vector<std::vector<double>> seconds(ways.size());
  long wrong = 0;
  // Processor time is counted in ticks: small matrices are moved several times.
  const int times = std::max(1, 2048 / order * (2048 / order));
  for (int round = -1; round < rounds; ++round) {
    for (std::size_t way = 0; way < ways.size(); ++way) {
      if (way > 0) to.clear();
      const double cost = cost_of(times, ways[way]);
      if (round >= 0) seconds[way].push_back(cost);
      if (way > 0) wrong += to.count_wrong();
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return {median(seconds[0]), median(seconds[1]), median(seconds[2]),
          median(seconds[3]), median(seconds[4]), wrong};
}

void add_row(Table& table, int order, const char* name, const Costs& costs) {
  const auto over = [](double a, double b) { return rounded(a / b, 2); };
  table.add({order, name, rounded(costs.copy * 1e3, 3), over(costs.plan, costs.copy),
             over(costs.shared, costs.copy), over(costs.drop_in, costs.copy),
             over(costs.scalapacks, costs.copy), over(costs.scalapacks, costs.plan),
             over(costs.scalapacks, costs.shared), over(costs.scalapacks, costs.drop_in)});
}

int run(const Gemr2dSettings& settings) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  void* const library = dlopen(SCALAPACK_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  void* const symbol = library == nullptr ? nullptr : dlsym(library, "Cpdgemr2d");
  if (symbol == nullptr) {
    if (rank == 0) fmt::print(stderr, "{} has no Cpdgemr2d\n", SCALAPACK_LIBRARY);
    return 1;
  }
  Communicator communicator(MPI_COMM_WORLD);
  Table table({{"order"},
               {"blocks, grids", Align::left},
               {"memcpy ms", Align::right, "memcpy_processor_ms"},
               {"plan", Align::right, "plan_over_memcpy"},
               {"shared", Align::right, "shared_over_memcpy"},
               {"drop in", Align::right, "drop_in_over_memcpy"},
               {"own", Align::right, "scalapack_over_memcpy"},
               {"own / plan", Align::right, "scalapack_over_plan"},
               {"own / shared", Align::right, "scalapack_over_shared"},
               {"own / drop in", Align::right, "scalapack_over_drop_in"}});
  long wrong = 0;
  for (const int order : settings.orders) {
    for (const Case& which : cases()) {
      const Costs costs =
          costs_of(communicator, reinterpret_cast<Gemr2d>(symbol), which, order, settings.rounds);
      add_row(table, order, which.name, costs);
      wrong += costs.wrong;
    }
  }
  if (rank == 0) {
    print(table, {"shunt-gemr2d-bench"}, settings.json);
    if (!settings.json) {
      fmt::print(
          "\nprocessor time of all {} ranks over memcpy's: a plan, one from memory that the\n"
          "node shares, pdgemr2d in the place of ScaLAPACK's, and its own; then its own\n"
          "over these; median of {} rounds, interleaved\n"
          "{} wrong elements\n",
          world_size(), settings.rounds, wrong);
    }
  }
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace shunt::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  shunt::bench::Gemr2dSettings settings;
  const auto wrong_use = read_settings(settings, argc, argv, rank == 0);
  const int status = wrong_use ? *wrong_use : shunt::bench::run(settings);
  MPI_Finalize();
  return status;
}
