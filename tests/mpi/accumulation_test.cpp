// to = beta * to + alpha * op(from) for random arrays, as computed element by element.
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mpi/modes_in_turn.hpp"
#include "shunt/shunt.hpp"
#include "support/dealt_array.hpp"
#include "support/expect_error.hpp"

namespace shunt::test {
namespace {

template <class T>
struct IsComplex : std::false_type {};
template <class Part>
struct IsComplex<std::complex<Part>> : std::true_type {};

/// Of small integers, so that no sum is rounded.
template <class T>
T number(int real, int imaginary) {
  if constexpr (IsComplex<T>::value) {
    using Part = typename T::value_type;
    return {static_cast<Part>(real), static_cast<Part>(imaginary)};
  } else {
    return static_cast<T>(real);
  }
}

template <class T>
T number_at(const std::vector<Index>& index, int salt) {
  Index sum = salt;
  for (const Index i : index) sum = sum * 7 + i;
  return number<T>(static_cast<int>(sum % 23), static_cast<int>(sum % 5));
}

template <class T>
T& as(std::byte* at) {
  return *reinterpret_cast<T*>(at);
}

template <class T>
T op(const LinearUpdate<T>& update, const T& value) {
  if constexpr (IsComplex<T>::value) {
    if (update.conjugate) return std::conj(value);
  }
  return value;
}

/// This rank's memory of a case.
template <class T>
class Accumulation {
 public:
  Accumulation(const RedistributionCase& made, const LinearUpdate<T>& update)
      : made_(made),
        update_(update),
        from_(part_of(made.from.layout, world_rank(), made.element, made.from_gap)),
        to_(part_of(made.to.layout, world_rank(), made.element, made.to_gap)),
        expected_(to_.memory) {
    for_each_index(made.extents, [&](const std::vector<Index>& index) {
      if (std::byte* const at = mine(made.from, from_, index)) as<T>(at) = number_at<T>(index, 1);
      std::byte* const at = mine(made.to, to_, index);
      if (at == nullptr) return;
      if (update.beta != T(0)) as<T>(at) = number_at<T>(index, 2);
      arriving_.emplace_back(at - to_.memory.data(),
                             update.alpha * op(update, number_at<T>(index, 1)));
    });
    expected_ = to_.memory;
  }

  [[nodiscard]] Plan plan(Communicator& communicator, const Options& options) {
    return communicator.plan_accumulation<T>(
        {made_.from.layout, elements<const T>(from_.memory), from_.strides},
        {made_.to.layout, elements<T>(to_.memory), to_.strides}, update_,
        {made_.extents, made_.from.begin, made_.to.begin, made_.to.axes}, options);
  }

  /// What the next execution makes of the expected memory.
  void expect_one_more() {
    for (const auto& [offset, arrived] : arriving_) {
      T& element = as<T>(expected_.data() + offset);
      element = update_.beta == T(0) ? arrived : arrived + update_.beta * element;
    }
  }

  [[nodiscard]] bool is_as_expected() const { return to_.memory == expected_; }

 private:
  /// Where the element at `index` of the part lies; null on other ranks than its own.
  std::byte* mine(const ArraySide& side, DealtPart& part, const std::vector<Index>& index) const {
    const Spot spot = spot_of(side.layout, in_array(side, index));
    return spot.rank == world_rank() ? element_at(part, spot.local, made_.element) : nullptr;
  }

  RedistributionCase made_;
  LinearUpdate<T> update_;
  DealtPart from_;
  DealtPart to_;
  std::vector<std::pair<std::ptrdiff_t, T>> arriving_;  ///< where in the memory of `to_`, and what
  std::vector<std::byte> expected_;
};

template <class T>
class AccumulationExactness : public testing::Test {};
using Numbers = testing::Types<std::int32_t, std::int64_t, float, double, std::complex<float>,
                               std::complex<double>>;
TYPED_TEST_SUITE(AccumulationExactness, Numbers);

TYPED_TEST(AccumulationExactness, OfRandomArrays) {
  using T = TypeParam;
  Communicator communicator(MPI_COMM_WORLD);
  std::mt19937 random(13);
  const std::size_t rounds = world_size() <= 13 ? 30 : 8;
  for (std::size_t turn = 0; turn < rounds; ++turn) {
    RedistributionCase made = random_case(random, world_size());
    made.element = sizeof(T);
    const int factors[] = {0, 1, 2, -1};
    const LinearUpdate<T> update{number<T>(factors[random() % 4], 0),
                                 number<T>(factors[random() % 4], turn % 2 == 0 ? 0 : 1),
                                 random() % 2 == 0};
    for (const Options& options :
         {Options{}, Options{"auto", modes_in_turn(turn).front()},
          Options{"auto", Mode::dual_buffer, 512, {2, 100}, turn % 2 == 0, 40}}) {
      SCOPED_TRACE(testing::Message() << "round " << turn << ", " << name_of(options.mode));
      Accumulation<T> memory(made, update);
      Plan plan = memory.plan(communicator, options);
      for (int round = 0; round < 2; ++round) {
        memory.expect_one_more();
        plan.execute();
        ASSERT_TRUE(memory.is_as_expected()) << "round " << round;
      }
    }
  }
}

/// In messages that go in many pieces, each of which has to end between two elements.
TYPED_TEST(AccumulationExactness, OfLargeMatrices) {
  using T = TypeParam;
  Communicator communicator(MPI_COMM_WORLD);
  const Rank ranks = world_size();
  const ArrayLayout rows{{{448, 13, ranks}, {448, 64}}};
  const ArrayLayout columns{{{448, 64}, {448, 7, ranks}}, {}, Order::column_major};
  const RedistributionCase made{
      {rows, {0, 0}, {0, 1}}, {columns, {0, 0}, {1, 0}}, {448, 448}, sizeof(T), 1, 1};
  Accumulation<T> memory(made, {number<T>(2, 1), number<T>(-1, 0), true});
  for (const bool shared : {true, false}) {
    SCOPED_TRACE(shared ? "shared" : "by MPI");
    std::vector<Options> ways{{.shared_memory = shared}};
    // Within a limit, other algorithms have all of it in parts, which are many on many ranks.
    if (world_size() <= 5) {
      ways.push_back({.algorithm = "four-stage", .shared_memory = shared, .memory = 300007});
    }
    for (const Options& options : ways) {
      Plan plan = memory.plan(communicator, options);
      EXPECT_TRUE(options.memory == 0 || plan.counters().memory <= options.memory);
      for (int round = 0; round < 2; ++round) {
        memory.expect_one_more();
        plan.execute();
        ASSERT_TRUE(memory.is_as_expected()) << options.algorithm << ", round " << round;
      }
    }
  }
}

/// What a factor of 0 leaves out does not count, even if it is no number.
TEST(Accumulation, LeavesOutWhatIsTimesZero) {
  Communicator communicator(MPI_COMM_WORLD);
  const Index extent = 10 * world_size();
  const ArrayLayout blocks{{{extent, 10, world_size()}}};
  const ArrayLayout cyclic{{{extent, 1, world_size()}}};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> from(10, nan);
  std::vector<double> to(10, 3);
  const auto execute = [&](const LinearUpdate<double>& update) {
    communicator
        .plan_accumulation<double>({blocks, std::span<const double>(from)}, {cyclic, to}, update)
        .execute();
  };
  execute({0, 2});
  EXPECT_EQ(to, std::vector<double>(10, 6));
  from.assign(10, 5);
  to.assign(10, nan);
  execute({3, 0});
  EXPECT_EQ(to, std::vector<double>(10, 15));
}

TEST(AccumulationErrors, NamePacketsThatHoldNoElement) {
  Communicator communicator(MPI_COMM_WORLD);
  const ArrayLayout layout{{{world_size(), 1, world_size()}}};
  const std::vector<double> from(1);
  std::vector<double> to(1);
  const auto plan = [&](Bytes packet) {
    (void)communicator.plan_accumulation<double>(
        {layout, std::span<const double>(from)}, {layout, to}, {2, 1}, {},
        {"auto", Mode::dual_buffer, 512, {}, true, packet});
  };
  expect_error(ErrorKind::argument, "packets have 7 bytes; elements that are put together have 8",
               [&] { plan(7); });
  plan(8);
}

}  // namespace
}  // namespace shunt::test
