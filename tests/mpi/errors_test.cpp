// A wrong argument is an Error that names it, its value and the rule. Mostly on a communicator of
// one rank, where nobody else is left waiting.
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "mpi/block_case.hpp"
#include "mpi/own_communicator.hpp"
#include "support/expect_error.hpp"

namespace shunt::test {
namespace {

constexpr Bytes kMost = std::numeric_limits<Bytes>::max();

/// One exchange of ints on a single rank, which each test makes wrong in one way.
struct Call {
  std::vector<int> send = {1, 2, 3, 4};
  std::vector<int> received = {0, 0, 0, 0};
  Layout out{{4}, {0}};
  Layout in{{4}, {0}};
  Options options{"four-stage", Mode::dual_buffer, 1, {}};
  MPI_Datatype send_type = MPI_INT;
  MPI_Datatype receive_type = MPI_INT;

  void once(Communicator& communicator) {
    communicator.alltoallv(std::span<const int>(send), out, std::span<int>(received), in, options);
  }
  void planned(Communicator& communicator) {
    communicator
        .plan_alltoallv(std::span<const int>(send), out, std::span<int>(received), in, options)
        .execute();
  }
  void bounded(Communicator& communicator) {
    communicator.plan_bounded(1 << 20, options)
        .execute(std::span<const int>(send), out, std::span<int>(received), in);
  }
  void typed_once(Communicator& communicator) {
    communicator.alltoallv(send.data(), out, send_type, received.data(), in, receive_type, options);
  }
  void typed_planned(Communicator& communicator) {
    communicator
        .plan_alltoallv(send.data(), out, send_type, received.data(), in, receive_type, options)
        .execute();
  }
};

using Form = void (Call::*)(Communicator&);
constexpr Form kSpanForms[] = {&Call::once, &Call::planned, &Call::bounded};
constexpr Form kTypedForms[] = {&Call::typed_once, &Call::typed_planned};
constexpr Form kAllForms[] = {&Call::once, &Call::planned, &Call::bounded, &Call::typed_once,
                              &Call::typed_planned};

/// `spoil(call)` makes the call wrong; it then throws in all `forms`, and leaves the Communicator
/// usable.
template <class Spoil>
void expect_all(std::span<const Form> forms, ErrorKind kind, const std::string& words,
                Spoil&& spoil) {
  Communicator communicator(MPI_COMM_SELF);
  for (std::size_t i = 0; i < forms.size(); ++i) {
    SCOPED_TRACE("form " + std::to_string(i));
    Call call;
    spoil(call);
    expect_error(kind, words, [&] { (call.*forms[i])(communicator); });
    Call good;
    (good.*forms[i])(communicator);
    EXPECT_EQ(good.received, good.send);
  }
}

TEST(Errors, WrongNumberOfCounts) {
  expect_all(kAllForms, ErrorKind::count,
             "the send layout has 2 counts and 1 displacements; the communicator has 1 ranks",
             [](Call& call) {
               call.out.counts = {2, 2};
             });
  expect_all(kAllForms, ErrorKind::count, "the receive layout has 1 counts and 0 displacements",
             [](Call& call) { call.in.displacements.clear(); });
}

TEST(Errors, NegativeCount) {
  expect_all(kAllForms, ErrorKind::count, "send count 0 is -3, which is negative",
             [](Call& call) { call.out.counts = {-3}; });
  expect_all(kAllForms, ErrorKind::count, "receive count 0 is -1, which is negative",
             [](Call& call) { call.in.counts = {-1}; });
}

TEST(Errors, BlockOutsideTheBuffer) {
  expect_all(kSpanForms, ErrorKind::buffer,
             "send block 0 is 4 elements at displacement 1, outside the buffer of 4 elements",
             [](Call& call) { call.out.displacements = {1}; });
  expect_all(kSpanForms, ErrorKind::buffer, "receive block 0 is 5 elements",
             [](Call& call) { call.in.counts = {5}; });
  expect_all(kSpanForms, ErrorKind::buffer, "at displacement -1",
             [](Call& call) { call.in.displacements = {-1}; });
  expect_all(kSpanForms, ErrorKind::buffer, "receive block 0 is 4 elements",
             [](Call& call) { call.in.displacements = {kMost / 8}; });
}

/// MPI leaves the displacement of an empty block to whatever it happens to be.
TEST(Errors, NotForAnEmptyBlockAnywhere) {
  Communicator communicator(MPI_COMM_SELF);
  for (const Form form : kAllForms) {
    for (const Bytes place : {Bytes{-1000}, Bytes{4}, Bytes{1} << 40}) {
      Call call;
      call.out = call.in = {{0}, {place}};
      EXPECT_NO_THROW((call.*form)(communicator));
      EXPECT_EQ(call.received, (std::vector{0, 0, 0, 0}));
    }
  }
}

TEST(Errors, MoreBytesThan64Bits) {
  expect_all(kAllForms, ErrorKind::count,
             "a count of 4611686018427387904 times 4 bytes exceeds 64 bits",
             [](Call& call) { call.out.counts = {Bytes{1} << 62}; });
  expect_all(kAllForms, ErrorKind::count, "a displacement of 9223372036854775807 times 4 bytes",
             [](Call& call) { call.in.displacements = {kMost}; });
}

TEST(Errors, UnknownAlgorithm) {
  expect_all(kAllForms, ErrorKind::argument, "there is no algorithm \"a5\"",
             [](Call& call) { call.options.algorithm = "a5"; });
  expect_all(kAllForms, ErrorKind::argument, "the number of levels is \"many\"",
             [](Call& call) { call.options.algorithm = "stages:many"; });
  expect_all(kAllForms, ErrorKind::argument, "groups:5 leaves no receiver among 1 ranks",
             [](Call& call) { call.options.algorithm = "groups:5"; });
}

TEST(Errors, NoDatatype) {
  expect_all(kTypedForms, ErrorKind::type, "the send type is MPI_DATATYPE_NULL",
             [](Call& call) { call.send_type = MPI_DATATYPE_NULL; });
  expect_all(kTypedForms, ErrorKind::type, "the receive type is MPI_DATATYPE_NULL",
             [](Call& call) { call.receive_type = MPI_DATATYPE_NULL; });
}

TEST(Errors, OwnCountsThatDisagree) {
  for (const char* name : {"linear", "two-stage", "row-column", "four-stage", "stages:3"}) {
    for (const Mode mode : kModes) {
      SCOPED_TRACE(std::string(name) + ", " + name_of(mode));
      for (const Bytes expected : {0, 1, 3}) {
        expect_all(kAllForms, ErrorKind::truncated,
                   "rank 0 sends itself 16 bytes and expects " + std::to_string(4 * expected),
                   [&](Call& call) {
                     call.options.algorithm = name;
                     call.options.mode = mode;
                     call.in.counts = {expected};
                   });
      }
      expect_all(kAllForms, ErrorKind::truncated, "rank 0 sends itself 0 bytes and expects 16",
                 [&](Call& call) {
                   call.options.algorithm = name;
                   call.options.mode = mode;
                   call.out.counts = {0};
                 });
    }
  }
}

TEST(Errors, TransposedCountsOfAnotherNumber) {
  Communicator communicator(MPI_COMM_SELF);
  expect_error(ErrorKind::count, "there are 2 counts; the communicator has 1 ranks", [&] {
    (void)communicator.transpose_counts({1, 2});
  });
}

/// Wrong on one rank, which takes part all the same: the others end, and later calls match.
TEST(Errors, CountsOfOneRank) {
  Communicator communicator(MPI_COMM_WORLD);
  const auto all = static_cast<std::size_t>(world_size());
  const bool is_wrong = world_rank() == world_size() - 1;
  const std::vector<int> data(all, world_rank());
  const auto exchange = [&](std::vector<Bytes> counts) {
    return communicator.alltoallv(std::span<const int>(data), counts);
  };
  const auto expect_wrong_there = [&](const char* words, const std::function<void()>& call) {
    if (is_wrong) {
      expect_error(ErrorKind::count, words, call);
    } else {
      call();
    }
    EXPECT_EQ(exchange(std::vector<Bytes>(all, 1)).size(), all);
  };
  std::vector<Bytes> negative(all, 0);
  if (is_wrong) negative.front() = -1;
  expect_wrong_there("is -1, which is negative", [&] { (void)exchange(negative); });
  expect_wrong_there("is -1, which is negative",
                     [&] { (void)communicator.transpose_counts(negative); });
  std::vector<std::size_t> huge(all, 0);
  if (is_wrong) huge.front() = std::numeric_limits<std::size_t>::max();
  expect_wrong_there("a count is 18446744073709551615",
                     [&] { (void)communicator.alltoallv(std::span<const int>(data), huge); });
  std::vector<Bytes> others(all, 0);
  if (is_wrong) others.push_back(0);
  expect_wrong_there("counts; the communicator has",
                     [&] { (void)communicator.transpose_counts(others); });
  BoundedPlan bounded = communicator.plan_bounded(8, {.algorithm = "four-stage"});
  std::vector<int> received(all, 0);
  std::vector<int> own(all, 0);
  if (is_wrong) own.back() = 3;
  expect_wrong_there("more than the plan's bound of 8", [&] {
    std::vector<int> more(data);
    more.resize(all + 3);
    std::vector<int> place(more.size());
    bounded.execute(std::span<const int>(more), Layout::packed(own), std::span(place),
                    Layout::packed(own));
  });
}

TEST(Errors, NoCommunicator) {
  expect_error(ErrorKind::communicator, "the communicator is MPI_COMM_NULL",
               [] { Communicator communicator(MPI_COMM_NULL); });
}

TEST(Errors, Intercommunicator) {
  if (world_size() == 1) GTEST_SKIP() << "one rank has no other group to meet";
  const int colour = world_rank() % 2;
  const auto group = OwnCommunicator::split(MPI_COMM_WORLD, colour, 0);
  MPI_Comm inter = MPI_COMM_NULL;
  constexpr int kTag = 5;
  MPI_Intercomm_create(group.get(), 0, MPI_COMM_WORLD, 1 - colour, kTag, &inter);
  expect_error(ErrorKind::communicator, "the communicator is an intercommunicator",
               [&] { Communicator communicator(inter); });
  MPI_Comm_free(&inter);
}

/// Each field of Options has a rule, whatever the algorithm and the call.
TEST(Errors, OptionsNameTheirField) {
  const auto refuses = [](const char* words, auto&& spoil) {
    SCOPED_TRACE(words);
    for (const char* algorithm : {"auto", "four-stage", "linear"}) {
      expect_all(kAllForms, ErrorKind::argument, words, [&](Call& call) {
        call.options.algorithm = algorithm;
        spoil(call.options);
      });
      Communicator communicator(MPI_COMM_SELF);
      Options options{algorithm};
      spoil(options);
      const std::vector<int> one{1};
      const std::span<const int> mine(one);
      std::vector<int> all{0};
      const Layout layout = Layout::packed(one);
      expect_error(ErrorKind::argument, words,
                   [&] { (void)communicator.exchange(mine, std::vector<int>{0}, options); });
      options.algorithm = "auto";
      expect_error(ErrorKind::argument, words,
                   [&] { communicator.allgatherv(mine, std::span<int>(all), layout, options); });
      expect_error(ErrorKind::argument, words, [&] {
        (void)communicator.plan_allgatherv(mine, std::span<int>(all), layout, options);
      });
      expect_error(ErrorKind::argument, words, [&] {
        communicator.allgatherv(mine.data(), 1, MPI_INT, all.data(), layout, MPI_INT, options);
      });
      expect_error(ErrorKind::argument, words,
                   [&] { (void)communicator.allgather_from(mine, options); });
      const ArrayLayout array{{{1, 1}}};
      expect_error(ErrorKind::argument, words, [&] {
        communicator.redistribute(DistributedArray<const int>{array, mine},
                                  DistributedArray<int>{array, std::span<int>(all)}, {}, options);
      });
    }
  };
  refuses("the grain is 0; it is a number of bytes, at least 1", [](Options& o) { o.grain = 0; });
  refuses("the grain is -8", [](Options& o) { o.grain = -8; });
  refuses("the packet is -1; it is a number of bytes, or 0", [](Options& o) { o.packet = -1; });
  refuses("the window's number of messages is -3", [](Options& o) { o.window.messages = -3; });
  refuses("the window's number of bytes is -4", [](Options& o) { o.window.bytes = -4; });
  refuses("the memory limit is -5", [](Options& o) { o.memory = -5; });
  refuses("the mode is 7", [](Options& o) { o.mode = static_cast<Mode>(7); });
  refuses("the effort is 9", [](Options& o) { o.effort = static_cast<Effort>(9); });
}

/// Counts and displacements of unsigned types are not taken for negative ones.
TEST(Errors, LayoutsAreNotCut) {
  const std::vector<std::uint64_t> far{std::uint64_t{1} << 63};
  const std::vector<int> zero{0};
  const char* const words = " is 9223372036854775808, which 64 bits do not hold";
  const auto refuses = [](const std::string& said, auto&& make) {
    expect_error(ErrorKind::count, said, make);
  };
  refuses(std::string("a count") + words, [&] { (void)Layout::packed(far); });
  refuses(std::string("a count") + words, [&] { (void)Layout::of(far, zero); });
  refuses(std::string("a displacement") + words, [&] { (void)Layout::of(zero, far); });
  refuses("the counts of a layout exceed 64 bits together", [&] {
    (void)Layout::packed(std::vector<Bytes>{kMost, 1});
  });
}

}  // namespace
}  // namespace shunt::test
