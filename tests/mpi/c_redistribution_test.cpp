// Redistributions from C: the same cases as from C++, and what is said of wrong arguments.
#include <random>

#include <gtest/gtest.h>

#include "mpi/c_failure.hpp"
#include "mpi/modes_in_turn.hpp"
#include "mpi/own_communicator.hpp"
#include "shunt/shunt.h"
#include "support/dealt_array.hpp"

namespace shunt::test {
namespace {

/// One side of a case as C has it.
class CArray {
 public:
  CArray(const ArraySide& side, const DealtPart& part)
      : ranks_(side.layout.ranks),
        strides_(part.strides.begin(), part.strides.end()),
        begin_(side.begin.begin(), side.begin.end()) {
    for (const BlockCyclic& d : side.layout.dimensions) {
      dimensions_.push_back({d.extent, d.block, d.places, d.first});
    }
    array = {static_cast<int>(dimensions_.size()),
             dimensions_.data(),
             ranks_.empty() ? nullptr : ranks_.data(),
             side.layout.order == Order::row_major ? MPI_ORDER_C : MPI_ORDER_FORTRAN,
             strides_.data(),
             begin_.data()};
  }
  CArray(const CArray&) = delete;
  CArray& operator=(const CArray&) = delete;

  SHUNT_Array array{};

 private:
  std::vector<SHUNT_Dimension> dimensions_;
  std::vector<Rank> ranks_;
  std::vector<MPI_Count> strides_;
  std::vector<MPI_Count> begin_;
};

TEST(CRedistributionExactness, OfRandomArrays) {
  std::mt19937 random(21);
  for (int round = 0; round < 40; ++round) {
    SCOPED_TRACE(round);
    const RedistributionCase made = random_case(random, world_size());
    const DealtPart sent = sent_part(made, world_rank());
    DealtPart received = part_of(made.to.layout, world_rank(), made.element, made.to_gap);
    const std::vector<std::byte> poisoned = received.memory;
    const std::vector<std::byte> expected = expected_part(made, world_rank()).memory;
    const CArray from(made.from, sent);
    const CArray to(made.to, received);
    const std::vector<MPI_Count> extents(made.extents.begin(), made.extents.end());
    const std::vector<int> axes(made.to.axes.begin(), made.to.axes.end());
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(static_cast<int>(made.element), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    ASSERT_EQ(SHUNT_Redistribute(sent.memory.data(), &from.array, received.memory.data(), &to.array,
                                 extents.data(), axes.data(), type, MPI_COMM_WORLD),
              MPI_SUCCESS)
        << SHUNT_Last_error();
    ASSERT_EQ(received.memory, expected);
    SHUNT_Request request = SHUNT_REQUEST_NULL;
    ASSERT_EQ(SHUNT_Redistribute_init(sent.memory.data(), &from.array, received.memory.data(),
                                      &to.array, extents.data(), axes.data(), type, MPI_COMM_WORLD,
                                      MPI_INFO_NULL, &request),
              MPI_SUCCESS)
        << SHUNT_Last_error();
    MPI_Type_free(&type);
    for (int execution = 0; execution < 2; ++execution) {
      received.memory = poisoned;
      ASSERT_EQ(SHUNT_Start(&request), MPI_SUCCESS) << SHUNT_Last_error();
      ASSERT_EQ(SHUNT_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS) << SHUNT_Last_error();
      ASSERT_EQ(received.memory, expected) << "execution " << execution;
    }
    ASSERT_EQ(SHUNT_Request_free(&request), MPI_SUCCESS) << SHUNT_Last_error();
  }
}

/// On a communicator of one rank whose errors are returned.
TEST(CRedistributionErrors, NameWhatIsWrong) {
  const auto self = OwnCommunicator::duplicate(MPI_COMM_SELF);
  MPI_Comm_set_errhandler(self.get(), MPI_ERRORS_RETURN);
  const SHUNT_Dimension ten{10, 3, 1, 0};
  const SHUNT_Dimension none{10, 0, 1, 0};
  const SHUNT_Dimension nowhere{10, 1, 0, 0};
  const int outside[] = {1};
  const double from[10] = {1, 2};
  double to[10] = {};
  const auto expect = [&](int error_class, const char* words, const SHUNT_Array* source,
                          const SHUNT_Array* target, const void* buffer,
                          MPI_Datatype type = MPI_DOUBLE, const int* axes = nullptr) {
    expect_failure(SHUNT_Redistribute(buffer, source, to, target, nullptr, axes, type, self.get()),
                   error_class, words);
  };
  const SHUNT_Array good{1, &ten, nullptr, MPI_ORDER_C, nullptr, nullptr};
  const auto with = [&good](auto&& change) {
    SHUNT_Array array = good;
    change(array);
    return array;
  };
  const SHUNT_Array flat = with([](SHUNT_Array& a) { a.dimensions = 0; });
  const SHUNT_Array blank = with([](SHUNT_Array& a) { a.dimension = nullptr; });
  const SHUNT_Array unordered = with([](SHUNT_Array& a) { a.order = -5; });
  const SHUNT_Array blockless = with([&](SHUNT_Array& a) { a.dimension = &none; });
  const SHUNT_Array placeless = with([&](SHUNT_Array& a) {
    a.dimension = &nowhere;
    a.ranks = outside;
  });
  const SHUNT_Array foreign = with([&](SHUNT_Array& a) { a.ranks = outside; });
  expect(MPI_ERR_ARG, "the pointer to the array from is null", nullptr, &good, from);
  expect(MPI_ERR_ARG, "the pointer to the array to is null", &good, nullptr, from);
  expect(MPI_ERR_ARG, "the array from has 0 dimensions", &flat, &good, from);
  expect(MPI_ERR_ARG, "the dimensions of the array to are null", &good, &blank, from);
  expect(MPI_ERR_ARG, "the order of the array from is -5", &unordered, &good, from);
  expect(MPI_ERR_ARG, "the block of dimension 0 is 0", &blockless, &good, from);
  expect(MPI_ERR_ARG, "the number of places of dimension 0 is 0", &placeless, &good, from);
  expect(MPI_ERR_RANK, "rank 1 is in the grid", &foreign, &good, from);
  expect(MPI_ERR_BUFFER, "the buffer of the array from is null", &good, &good, nullptr);
  expect(MPI_ERR_TYPE, "the element type", &good, &good, from, MPI_DATATYPE_NULL);
  expect(MPI_ERR_TYPE, "the element type has gaps", &good, &good, from, MPI_DOUBLE_INT);
  const int axes[] = {1};
  expect(MPI_ERR_ARG, "to_axes is 1", &good, &good, from, MPI_DOUBLE, axes);
  SHUNT_Request request = SHUNT_REQUEST_NULL;
  expect_failure(SHUNT_Redistribute_init(from, &flat, to, &good, nullptr, nullptr, MPI_DOUBLE,
                                         self.get(), MPI_INFO_NULL, &request),
                 MPI_ERR_ARG, "the array from has 0 dimensions");
  EXPECT_EQ(request, SHUNT_REQUEST_NULL);
  ASSERT_EQ(SHUNT_Redistribute(from, &good, to, &good, nullptr, nullptr, MPI_DOUBLE, self.get()),
            MPI_SUCCESS);
  EXPECT_EQ(to[1], 2);
}

}  // namespace
}  // namespace shunt::test
