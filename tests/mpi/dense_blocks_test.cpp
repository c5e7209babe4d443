// What is read on the short way is what the long way reads; and whatever is wrong goes the long
// way.
#include "bindings/c/dense_blocks.hpp"

#include <array>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "bindings/c/sides.hpp"
#include "mpi/own_communicator.hpp"
#include "mpi/typed_memory.hpp"

namespace shunt::test {
namespace {

/// The arguments of an MPI_Alltoallv, right to begin with.
struct Given {
  explicit Given(std::mt19937& random) {
    Bytes end = 0;
    for (std::vector<Bytes>* counts : {&send_counts, &receive_counts}) {
      std::vector<Bytes>& places = counts == &send_counts ? send_places : receive_places;
      for (Rank peer = 0; peer < world_size(); ++peer) {
        counts->push_back(static_cast<Bytes>(random() % 4));
        places.push_back(end - kMiddle);
        end += counts->back() + static_cast<Bytes>(random() % 2);
      }
    }
    const auto own = static_cast<std::size_t>(world_rank());
    receive_counts[own] = send_counts[own];
    receive_places[own] = end - kMiddle;
  }

  [[nodiscard]] c::Call call() const {
    return {"MPI_Alltoallv",
            c::Form::alltoallv,
            c::blocks_side(send, send_counts.data(), send_places.data(), send_type),
            c::blocks_side(receive, receive_counts.data(), receive_places.data(), receive_type),
            MPI_COMM_WORLD,
            c::kNoRoot};
  }

  /// Displacements go to both sides of the base.
  static constexpr Bytes kMiddle = 5;
  static inline std::array<int, 4096> memory{};

  const void* send = memory.data() + kMiddle;
  void* receive = memory.data() + kMiddle;
  std::vector<Bytes> send_counts;
  std::vector<Bytes> send_places;
  std::vector<Bytes> receive_counts;
  std::vector<Bytes> receive_places;
  MPI_Datatype send_type = MPI_INT;
  MPI_Datatype receive_type = MPI_INT;
};

class DenseBlocks : public testing::Test {
 protected:
  bool read(const c::Call& call) { return c::read_dense(call, *context_, send_, receive_); }

  /// Whether the long way takes the arguments, too.
  static std::optional<c::Arguments> read_all(const c::Call& call) {
    try {
      return c::read_arguments(call, world_rank(), world_size());
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  void expect_same(const c::Arguments& arguments) const {
    for (std::size_t k = 0; k < send_.bytes.size(); ++k) {
      const TypedBlock& out = arguments.send->blocks()[k];
      const TypedBlock& in = arguments.receive.blocks()[k];
      EXPECT_EQ(send_.bytes[k], out.bytes);
      EXPECT_EQ(receive_.bytes[k], in.bytes);
      if (out.bytes > 0) {
        EXPECT_EQ(reinterpret_cast<Bytes>(send_.block(k)), out.address);
      }
      if (in.bytes > 0) {
        EXPECT_EQ(reinterpret_cast<Bytes>(receive_.block(k)), in.address);
      }
    }
  }

  SendBlocks send_;
  ReceiveBlocks receive_;

 private:
  OwnCommunicator world_ = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  std::shared_ptr<Context> context_ = Context::of(world_.get());
};

TEST_F(DenseBlocks, AreThoseOfTheLongWay) {
  std::mt19937 random(3);
  int read_here = 0;
  for (int k = 0; k < 300; ++k) {
    Given given(random);
    // One of many things may be wrong, or just not usual.
    const auto any = static_cast<std::size_t>(world_size() - 1);
    switch (random() % 12) {
      case 0:
        given.send_counts[any] = -1;
        break;
      case 1:
        given.receive_counts[any] = -1;
        break;
      case 2:
        given.send_counts[any] = std::numeric_limits<Bytes>::max();
        break;
      case 3:
        given.receive_counts[any] = std::numeric_limits<Bytes>::max() / 4;
        break;
      case 4:
        given.send_places[any] = std::numeric_limits<Bytes>::max() / 2;
        break;
      case 5:
        given.receive_places[any] = given.send_places[0];
        break;
      case 6:
        given.send = MPI_IN_PLACE;
        break;
      case 7:
        given.send = nullptr;
        break;
      case 8:
        ++given.send_counts[static_cast<std::size_t>(world_rank())];
        break;
      default:
        break;
    }
    const std::optional<c::Arguments> all = read_all(given.call());
    if (!read(given.call())) continue;
    ++read_here;
    ASSERT_TRUE(all.has_value()) << "arguments " << k << " are wrong";
    expect_same(*all);
  }
  EXPECT_GT(read_here, 0);
}

TEST_F(DenseBlocks, AreTheUsualOnes) {
  std::mt19937 random(4);
  Given given(random);
  given.receive = Given::memory.data() + 2048;
  EXPECT_TRUE(read(given.call()));
  // The same bytes by another type.
  given.send_type = MPI_FLOAT;
  EXPECT_TRUE(read(given.call()));
  const OwnType six = contiguous();
  given.send_type = six.get();
  given.receive_type = six.get();
  EXPECT_TRUE(read(given.call()));

  const Bytes count = 3;
  const c::Call all{"MPI_Alltoall",
                    c::Form::alltoall,
                    c::equal_side(Given::memory.data(), count, MPI_INT),
                    c::equal_side(Given::memory.data() + 2048, count, MPI_INT),
                    MPI_COMM_WORLD,
                    c::kNoRoot};
  ASSERT_TRUE(read(all));
  expect_same(*read_all(all));
}

/// The block to send is the same for all, and is read as the one for this rank itself.
TEST_F(DenseBlocks, AreThoseOfAllgathers) {
  const Bytes count = 3;
  const c::Call all{"MPI_Allgather",
                    c::Form::allgather,
                    c::single_side(Given::memory.data(), count, MPI_INT),
                    c::equal_side(Given::memory.data() + 2048, count, MPI_INT),
                    MPI_COMM_WORLD,
                    c::kNoRoot};
  ASSERT_TRUE(read(all));
  const c::Arguments arguments = *read_all(all);
  for (std::size_t k = 0; k < send_.bytes.size(); ++k) {
    const bool is_own = k == static_cast<std::size_t>(world_rank());
    EXPECT_EQ(send_.bytes[k], is_own ? arguments.send->blocks()[k].bytes : 0);
    EXPECT_EQ(receive_.bytes[k], arguments.receive.blocks()[k].bytes);
    EXPECT_EQ(reinterpret_cast<Bytes>(receive_.block(k)), arguments.receive.blocks()[k].address);
  }
  EXPECT_EQ(send_.block(static_cast<std::size_t>(world_rank())),
            reinterpret_cast<const std::byte*>(Given::memory.data()));

  c::Call in_place = all;
  in_place.send.buffer = MPI_IN_PLACE;
  EXPECT_FALSE(read(in_place));
  c::Call too_long = all;
  const Bytes longer = count + 1;
  too_long.send = c::single_side(Given::memory.data(), longer, MPI_INT);
  EXPECT_FALSE(read(too_long)) << "its block for itself has another length";
  c::Call overlapping = all;
  overlapping.send.buffer = Given::memory.data() + 2048;
  EXPECT_FALSE(read(overlapping));
}

/// As long as its data, which lie beside it.
OwnType beside() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int length = 1;
  const MPI_Aint place = sizeof(int);
  MPI_Type_create_hindexed(1, &length, &place, MPI_INT, &type);
  return OwnType(resized(type, 0, sizeof(int)));
}

TEST_F(DenseBlocks, AreNoneOfOtherTypes) {
  std::mt19937 random(5);
  for (const auto make :
       {vector_with_holes, resized_with_negative_bound, structure, shifted,
        displaced_before_its_origin, indexed_out_of_order, dense_but_permuted, beside}) {
    const OwnType other = make();
    Given given(random);
    given.receive = Given::memory.data() + 2048;
    given.send_type = other.get();
    EXPECT_FALSE(read(given.call()));
    given.send_type = MPI_INT;
    given.receive_type = other.get();
    EXPECT_FALSE(read(given.call()));
  }
  Given given(random);
  given.send_type = MPI_DATATYPE_NULL;
  EXPECT_FALSE(read(given.call()));
}

}  // namespace
}  // namespace shunt::test
