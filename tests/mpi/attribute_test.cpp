// What is known of communicators and types is found again without a word to MPI, and not once they
// are freed.
#include "mpi_calls/attribute.hpp"

#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "bindings/element_type.hpp"
#include "context/context.hpp"
#include "mpi/own_communicator.hpp"

namespace shunt::test {
namespace {

/// As for the whole array, its rows and its columns.
TEST(AttributesOfCommunicators, AreFoundAgainOnTheLastThree) {
  std::vector<OwnCommunicator> own;
  std::vector<MPI_Comm> handles;
  for (int k = 0; k < 4; ++k) {
    own.push_back(OwnCommunicator::duplicate(MPI_COMM_WORLD));
    handles.push_back(own.back().get());
    EXPECT_EQ(Context::known_again(handles.back()), nullptr);
  }
  for (const MPI_Comm handle : handles) {
    (void)Context::of(handle);
    (void)Context::known(handle);
  }
  EXPECT_EQ(Context::known_again(handles[0]), nullptr);
  for (std::size_t k = 1; k < handles.size(); ++k) {
    EXPECT_EQ(Context::known_again(handles[k]), Context::of(handles[k]).get());
  }
  std::thread([&] { EXPECT_EQ(Context::known_again(handles[3]), nullptr); }).join();
}

/// MPI may give the handle of one that is freed to the next one.
TEST(AttributesOfCommunicators, AreForgottenWithTheirCommunicator) {
  auto own = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  auto other = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  const MPI_Comm handle = own.get();
  EXPECT_EQ(Context::known(handle), nullptr);
  EXPECT_EQ(Context::known_again(handle), nullptr);
  EXPECT_EQ(Context::known_again(MPI_COMM_NULL), nullptr);
  const std::shared_ptr<Context> state = Context::of(handle);
  EXPECT_EQ(Context::known(handle), state);
  EXPECT_EQ(Context::known_again(handle), state.get());
  (void)Context::of(other.get());
  EXPECT_EQ(Context::known(other.get()), Context::of(other.get()));
  other.free();
  EXPECT_EQ(Context::known_again(handle), nullptr);
  EXPECT_EQ(Context::known(handle), state);
  own.free();
  EXPECT_EQ(Context::known_again(handle), nullptr);
}

TEST(AttributesOfTypes, AreFoundAgainOnTheLastThreeUntilOneIsFreed) {
  std::vector<MPI_Datatype> types(4);
  for (std::size_t k = 0; k < types.size(); ++k) {
    MPI_Type_contiguous(static_cast<int>(k) + 2, MPI_INT, &types[k]);
    MPI_Type_commit(&types[k]);
    EXPECT_EQ(KeptType::find_again(types[k]), nullptr);
    // Found out the first time, and found from the second.
    for (int time = 0; time < 2; ++time) (void)element_type({types[k], "send"});
  }
  EXPECT_EQ(KeptType::find_again(types[0]), nullptr);
  for (std::size_t k = 1; k < types.size(); ++k) {
    ASSERT_NE(KeptType::find_again(types[k]), nullptr);
    EXPECT_EQ((*KeptType::find_again(types[k]))->size,
              (static_cast<Bytes>(k) + 2) * Bytes{sizeof(int)});
  }
  const MPI_Datatype freed = types[1];
  for (MPI_Datatype& type : types) MPI_Type_free(&type);
  EXPECT_EQ(KeptType::find_again(freed), nullptr);
}

}  // namespace
}  // namespace shunt::test
