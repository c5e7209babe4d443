// Which torus the ranks are taken for: by name, by a Cartesian communicator, or by factoring.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "context/context.hpp"
#include "mpi/block_case.hpp"
#include "mpi/own_communicator.hpp"
#include "support/expect_error.hpp"
#include "support/variable.hpp"

namespace shunt::test {
namespace {

std::string shape_of(MPI_Comm comm) {
  const auto context = Context::of(comm);
  const std::optional<Extents> torus = context->topology.find_torus();
  return torus ? torus->name() : "none";
}

std::string times(int a, int b) { return std::to_string(a) + "x" + std::to_string(b); }

class Cartesian {
 public:
  explicit Cartesian(std::vector<int> extents) {
    const std::vector<int> periods(extents.size(), 1);
    MPI_Cart_create(MPI_COMM_WORLD, static_cast<int>(extents.size()), extents.data(),
                    periods.data(), 0, &comm_);
  }
  Cartesian(const Cartesian&) = delete;
  Cartesian& operator=(const Cartesian&) = delete;
  ~Cartesian() { MPI_Comm_free(&comm_); }

  [[nodiscard]] MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

TEST(TorusShape, IsThatOfACartesianCommunicator) {
  EXPECT_EQ(shape_of(MPI_COMM_WORLD), "none");
  EXPECT_EQ(shape_of(Cartesian({world_size(), 1}).get()), times(world_size(), 1));
  std::vector<int> extents(2, 0);
  MPI_Dims_create(world_size(), 2, extents.data());
  const Cartesian grid(extents);
  EXPECT_EQ(shape_of(grid.get()), times(extents[0], extents[1]));
  EXPECT_EQ(Context::of(grid.get())->schedules.find("torus-split", {}).algorithm->name(),
            "torus-split:" + times(extents[0], extents[1]));
}

TEST(TorusShape, IsWhatTheFirstRankHasInItsEnvironment) {
  const Cartesian grid({world_size(), 1});
  const std::string own = times(1, world_size());
  // The other ranks have names that are no tori at all.
  const Variable torus("SHUNT_TORUS", world_rank() == 0 ? own.c_str() : "round");
  EXPECT_EQ(shape_of(MPI_COMM_WORLD), own);
  EXPECT_EQ(shape_of(grid.get()), own);
}

TEST(TorusShape, IsNotThatOfANameForOtherNumbersOfRanks) {
  const Variable torus("SHUNT_TORUS", times(world_size() + 1, 2).c_str());
  EXPECT_EQ(shape_of(MPI_COMM_WORLD), "none");
  EXPECT_EQ(shape_of(Cartesian({1, world_size()}).get()), times(1, world_size()));
}

TEST(TorusShape, IsAnErrorOnAllRanksWhereTheNameIsNone) {
  const Variable torus("SHUNT_TORUS", world_rank() == 0 ? "4xfour" : "");
  const OwnCommunicator comm = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  const auto context = Context::of(comm.get());
  expect_error(ErrorKind::argument, "SHUNT_TORUS",
               [&] { (void)context->topology.surroundings().torus(); });
}

}  // namespace
}  // namespace shunt::test
