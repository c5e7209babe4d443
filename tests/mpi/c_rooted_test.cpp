// SHUNT_Gatherv and SHUNT_Scatterv beside MPI's own functions, and what they say of wrong
// arguments. What counts at the root alone is nothing that could be used on other ranks.
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mpi/block_case.hpp"
#include "mpi/c_failure.hpp"
#include "mpi/c_forms.hpp"
#include "mpi/own_communicator.hpp"
#include "shunt/shunt.h"

namespace shunt::test {
namespace {

/// A block of ints for each rank: some empty, in an order of their own, with gaps between.
struct Blocks {
  explicit Blocks(int longest) {
    int place = 3;
    for (Rank k = world_size() - 1; k >= 0; --k) {
      counts.insert(counts.begin(), (k * 7 + 2) % 5 == 0 ? 0 : longest * (1 + k % 3));
      places.insert(places.begin(), place);
      place += counts.front() + k % 2;
    }
    end = place;
  }

  [[nodiscard]] int own() const { return counts[index_of(world_rank())]; }

  std::vector<int> counts;
  std::vector<int> places;
  int end;
};

int own_value(int k) { return 1000 * world_rank() + k; }

/// On a communicator whose errors are returned.
class CRooted : public testing::Test {
 protected:
  CRooted() : comm_(OwnCommunicator::duplicate(MPI_COMM_WORLD)) {
    MPI_Comm_set_errhandler(comm_.get(), MPI_ERRORS_RETURN);
  }

  /// Blocks that go to the root, or come from it: the lists mean nothing elsewhere.
  void compare(int longest, Rank root, bool in_place) {
    const Blocks blocks(longest);
    const bool is_root = world_rank() == root;
    const std::vector<int> garbage(blocks.counts.size(), -7);
    const int* const counts = is_root ? blocks.counts.data() : garbage.data();
    const int* const places = is_root ? blocks.places.data() : nullptr;
    const MPI_Datatype type = is_root ? MPI_INT : MPI_DATATYPE_NULL;
    std::vector<int> own(index_of(blocks.own()));
    for (int k = 0; k < blocks.own(); ++k) own[index_of(k)] = own_value(k);
    std::vector<int> expected(is_root ? index_of(blocks.end) : 0, -1);
    for (std::size_t k = 0; k < expected.size(); ++k) expected[k] = -own_value(static_cast<int>(k));
    std::vector<int> gathered = expected;
    const void* const from = in_place && is_root ? MPI_IN_PLACE : own.data();
    MPI_Gatherv(from, blocks.own(), MPI_INT, expected.data(), counts, places, type, root,
                comm_.get());
    ASSERT_EQ(SHUNT_Gatherv(from, blocks.own(), MPI_INT, gathered.data(), counts, places, type,
                            root, comm_.get()),
              MPI_SUCCESS)
        << SHUNT_Last_error();
    EXPECT_EQ(gathered, expected);

    std::vector<int> right = own;
    void* const to = in_place && is_root ? MPI_IN_PLACE : own.data();
    void* const right_to = in_place && is_root ? MPI_IN_PLACE : right.data();
    MPI_Scatterv(expected.data(), counts, places, type, right_to, blocks.own(), MPI_INT, root,
                 comm_.get());
    ASSERT_EQ(SHUNT_Scatterv(gathered.data(), counts, places, type, to, blocks.own(), MPI_INT, root,
                             comm_.get()),
              MPI_SUCCESS)
        << SHUNT_Last_error();
    EXPECT_EQ(own, right);
  }

  void compare_all() {
    for (const int longest : {0, 1, 40, 30000}) {
      for (Rank root = 0; root < world_size(); root += 1 + root) {
        SCOPED_TRACE(testing::Message() << longest << " ints, root " << root);
        compare(longest, root, false);
        compare(longest, root, true);
      }
    }
  }

  OwnCommunicator comm_;
};

TEST_F(CRooted, AsMpisOwn) {
  for (const char* name :
       {"auto", "native", "linear", "four-stage", "bruck:2", "linear shared=once"}) {
    SCOPED_TRACE(name);
    const ChosenVariable chosen("SHUNT_ALGORITHM", name);
    compare_all();
  }
}

TEST_F(CRooted, WithinALimitOfMemory) {
  const ChosenVariable limit("SHUNT_MEMORY", "64K");
  for (const char* name : {"native", "linear", "four-stage"}) {
    SCOPED_TRACE(name);
    const ChosenVariable chosen("SHUNT_ALGORITHM", name);
    compare_all();
  }
}

TEST_F(CRooted, Checked) {
  const ChosenVariable checked("SHUNT_CHECK", "1");
  compare_all();
}

/// A plan knows its root, and a native one calls MPI's own function of that name.
TEST_F(CRooted, Planned) {
  for (const char* name : {"auto", "native", "four-stage"}) {
    SCOPED_TRACE(name);
    const ChosenVariable chosen("SHUNT_ALGORITHM", name);
    const Rank root = world_size() - 1;
    const Blocks blocks(50);
    const std::vector<MPI_Count> counts(blocks.counts.begin(), blocks.counts.end());
    const std::vector<MPI_Aint> places(blocks.places.begin(), blocks.places.end());
    std::vector<int> own(index_of(blocks.own()) + 1);
    std::vector<int> all(index_of(blocks.end), -1);
    std::vector<int> back(own.size(), -2);
    SHUNT_Request gather = SHUNT_REQUEST_NULL;
    SHUNT_Request scatter = SHUNT_REQUEST_NULL;
    ASSERT_EQ(SHUNT_Gatherv_init(own.data(), blocks.own(), MPI_INT, all.data(),
                                 blocks.counts.data(), blocks.places.data(), MPI_INT, root,
                                 comm_.get(), MPI_INFO_NULL, &gather),
              MPI_SUCCESS)
        << SHUNT_Last_error();
    ASSERT_EQ(
        SHUNT_Scatterv_init_c(all.data(), counts.data(), places.data(), MPI_INT, back.data(),
                              blocks.own(), MPI_INT, root, comm_.get(), MPI_INFO_NULL, &scatter),
        MPI_SUCCESS)
        << SHUNT_Last_error();
    for (int round = 0; round < 3; ++round) {
      for (int k = 0; k < blocks.own(); ++k) own[index_of(k)] = own_value(k) + round;
      for (SHUNT_Request* request : {&gather, &scatter}) {
        ASSERT_EQ(SHUNT_Start(request), MPI_SUCCESS);
        ASSERT_EQ(SHUNT_Wait(request, MPI_STATUS_IGNORE), MPI_SUCCESS);
      }
      own.back() = -2;
      EXPECT_EQ(back, own);
    }
    SHUNT_Request_free(&gather);
    SHUNT_Request_free(&scatter);
  }
}

/// Each is wrong on all ranks, or where it counts; the next call works.
TEST_F(CRooted, ErrorsOfArguments) {
  int own = 1;
  std::vector<int> all(index_of(world_size()), 0);
  const std::vector<int> ones(all.size(), 1);
  std::vector<int> places(all.size());
  for (std::size_t k = 0; k < places.size(); ++k) places[k] = static_cast<int>(k);
  const auto gather = [&](const void* from, void* to, const int* counts, int root) {
    return SHUNT_Gatherv(from, 1, MPI_INT, to, counts, places.data(), MPI_INT, root, comm_.get());
  };
  const auto expect_right_call = [&] {
    ASSERT_EQ(gather(&own, all.data(), ones.data(), 0), MPI_SUCCESS) << SHUNT_Last_error();
  };
  for (const auto& [name, root] : {std::pair{"auto", -1},
                                   {"native", -1},
                                   {"auto", world_size()},
                                   {"native", std::numeric_limits<int>::max()}}) {
    SCOPED_TRACE(name);
    const ChosenVariable chosen("SHUNT_ALGORITHM", name);
    expect_failure(gather(&own, all.data(), ones.data(), root), MPI_ERR_ROOT,
                   "the root is " + std::to_string(root));
    expect_failure(SHUNT_Scatterv(all.data(), ones.data(), places.data(), MPI_INT, &own, 1, MPI_INT,
                                  root, comm_.get()),
                   MPI_ERR_ROOT, "the root is " + std::to_string(root));
    expect_right_call();
  }
  if (world_size() > 1) return;
  expect_failure(gather(MPI_IN_PLACE, MPI_IN_PLACE, ones.data(), 0), MPI_ERR_BUFFER,
                 "the receive buffer is MPI_IN_PLACE");
  expect_failure(gather(&own, MPI_IN_PLACE, ones.data(), 0), MPI_ERR_BUFFER,
                 "the receive buffer is MPI_IN_PLACE");
  expect_failure(SHUNT_Scatterv(MPI_IN_PLACE, ones.data(), places.data(), MPI_INT, &own, 1, MPI_INT,
                                0, comm_.get()),
                 MPI_ERR_BUFFER, "the send buffer is MPI_IN_PLACE");
  expect_failure(gather(&own, all.data(), nullptr, 0), MPI_ERR_ARG, "the receive counts are null");
  expect_failure(gather(nullptr, all.data(), ones.data(), 0), MPI_ERR_BUFFER,
                 "the send buffer is null");
  const int two = 2;
  expect_failure(gather(&own, all.data(), &two, 0), MPI_ERR_TRUNCATE,
                 "rank 0 sends itself 4 bytes and expects 8");
  expect_right_call();
}

/// Twice, since a communicator's later calls take a shorter way.
TEST_F(CRooted, ErrorsOfTypes) {
  int own = 1;
  std::vector<int> all(index_of(world_size()), 0);
  const std::vector<int> none(all.size(), 0);
  for (int k = 0; k < 2; ++k) {
    expect_failure(SHUNT_Scatterv(all.data(), none.data(), none.data(), MPI_INT, &own, 4,
                                  MPI_DATATYPE_NULL, 0, comm_.get()),
                   MPI_ERR_TYPE, "the receive type is MPI_DATATYPE_NULL");
  }
}

/// With SHUNT_CHECK what is wrong on one rank is an error on all.
TEST_F(CRooted, ErrorsOfOneRank) {
  if (world_size() == 1 || world_size() > 5) GTEST_SKIP() << "takes 2 to 5 ranks";
  const ChosenVariable checked("SHUNT_CHECK", "1");
  int own = 1;
  std::vector<int> all(index_of(world_size()), 0);
  const std::vector<int> ones(all.size(), 1);
  std::vector<int> places(all.size());
  for (std::size_t k = 0; k < places.size(); ++k) places[k] = static_cast<int>(k);
  const auto gather = [&](const void* from, int count, int root) {
    return SHUNT_Gatherv(from, count, MPI_INT, all.data(), ones.data(), places.data(), MPI_INT,
                         root, comm_.get());
  };
  const bool is_last = world_rank() == world_size() - 1;
  EXPECT_NE(gather(&own, 1, is_last ? 1 : 0), MPI_SUCCESS);
  EXPECT_NE(gather(&own, 1, is_last ? -3 : 0), MPI_SUCCESS);
  EXPECT_NE(gather(&own, is_last ? 2 : 1, 0), MPI_SUCCESS);
  EXPECT_NE(gather(is_last ? MPI_IN_PLACE : &own, 1, 0), MPI_SUCCESS);
  EXPECT_EQ(gather(&own, 1, 0), MPI_SUCCESS) << SHUNT_Last_error();
}

}  // namespace
}  // namespace shunt::test
