// Each argument of each function of the C interface is wrong on one rank: an error on all ranks,
// never a hang, and then a right call that works. With SHUNT_CHECK that is so of all functions, and
// without it of those that plan.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "context/context.hpp"
#include "mpi/block_case.hpp"
#include "mpi/c_failure.hpp"
#include "mpi/c_forms.hpp"
#include "mpi/c_gather_forms.hpp"
#include "mpi/own_communicator.hpp"

namespace shunt::test {
namespace {

/// Elements of a block.
constexpr Bytes kEach = 2;

/// What a function takes.
struct Takes {
  bool check;     ///< of other ranks' arguments, too
  bool exchange;  ///< a block for each rank, not one for all
  bool arrays;    ///< an array of counts to receive, and one of displacements
  bool types;     ///< for each block
};

/// What is wrong with the arguments of a collective, and whether a function has those.
struct Spoil {
  const char* what;
  void (*spoil)(CSide& out, CSide& in);
  bool (*concerns)(const Takes& takes) = [](const Takes&) { return true; };
};

constexpr Spoil kSpoils[] = {
    {"no send buffer", [](CSide& out, CSide&) { out.buffer = nullptr; }},
    {"no receive buffer", [](CSide&, CSide& in) { in.buffer = nullptr; }},
    {"received in place", [](CSide&, CSide& in) { in.buffer = MPI_IN_PLACE; }},
    {"one buffer", [](CSide& out, CSide& in) { out.buffer = in.buffer; }},
    {"a negative count to send", [](CSide& out, CSide&) { out.counts[0] = -1; }},
    {"a negative count to receive", [](CSide&, CSide& in) { in.counts[0] = -1; }},
    {"other counts to receive", [](CSide&, CSide& in) { std::ranges::fill(in.counts, kEach + 1); }},
    {"no type to send", [](CSide& out, CSide&) { out.type = MPI_DATATYPE_NULL; }},
    {"no type to receive", [](CSide&, CSide& in) { in.type = MPI_DATATYPE_NULL; }},
    {"sent in place", [](CSide& out, CSide&) { out = CSide::in_place(); },
     [](const Takes& takes) { return takes.exchange && takes.check && world_size() > 1; }},
    {"no counts to receive", [](CSide&, CSide& in) { in.counts.clear(); },
     [](const Takes& takes) { return takes.arrays; }},
    {"no displacements to receive", [](CSide&, CSide& in) { in.places.clear(); },
     [](const Takes& takes) { return takes.arrays; }},
    {"no counts to send", [](CSide& out, CSide&) { out.counts.clear(); },
     [](const Takes& takes) { return takes.arrays && takes.exchange; }},
    {"no displacements to send", [](CSide& out, CSide&) { out.places.clear(); },
     [](const Takes& takes) { return takes.arrays && takes.exchange; }},
    {"no types to send", [](CSide& out, CSide&) { out.has_types = false; },
     [](const Takes& takes) { return takes.types; }},
    {"no types to receive", [](CSide&, CSide& in) { in.has_types = false; },
     [](const Takes& takes) { return takes.types; }},
};

/// With SHUNT_CHECK or without.
class CWrongArguments : public testing::TestWithParam<bool> {
 protected:
  CWrongArguments()
      : checked_("SHUNT_CHECK", GetParam() ? "1" : "0"),
        chosen_("SHUNT_ALGORITHM", "four-stage"),
        effort_("SHUNT_EFFORT", "estimate"),
        comm_(OwnCommunicator::duplicate(MPI_COMM_WORLD)),
        memory_(static_cast<std::size_t>(2 * kEach * ranks_), -1) {
    MPI_Comm_set_errhandler(comm_.get(), MPI_ERRORS_RETURN);
  }

  /// A walk through all of them takes long on many ranks.
  void SetUp() override {
    if (ranks_ > 5) GTEST_SKIP() << "takes up to 5 ranks";
  }

  /// Whether this rank is the next one with wrong arguments: they take turns.
  [[nodiscard]] bool is_next() { return turn_++ % ranks_ == world_rank(); }

  void walk(std::span<const CForm> forms, bool exchange, bool arrays) {
    for (const CForm& form : forms) {
      const std::string_view name = form.name;
      if (!GetParam() && name.find("init") == std::string_view::npos) continue;
      const Takes takes{GetParam(), exchange, arrays, name.starts_with("alltoallw")};
      for (const Spoil& spoil : kSpoils) {
        if (!spoil.concerns(takes)) continue;
        SCOPED_TRACE(testing::Message() << name << ": " << spoil.what);
        CSide out = side(memory_.data());
        CSide in = side(memory_.data() + kEach * ranks_);
        if (is_next()) spoil.spoil(out, in);
        EXPECT_NE(form.call(out, in, comm_.get()), MPI_SUCCESS);
        ASSERT_NO_FATAL_FAILURE(expect_right_call(form));
      }
    }
  }

  void expect_right_call(const CForm& form) {
    std::fill_n(memory_.begin(), kEach * ranks_, world_rank());
    ASSERT_EQ(form.call(side(memory_.data()), side(memory_.data() + kEach * ranks_), comm_.get()),
              MPI_SUCCESS)
        << SHUNT_Last_error();
    for (Rank rank = 0; rank < ranks_; ++rank) {
      ASSERT_EQ(memory_[static_cast<std::size_t>(kEach * (ranks_ + rank))], rank);
    }
  }

  [[nodiscard]] CSide side(int* buffer) const {
    std::vector<Bytes> places;
    for (Rank rank = 0; rank < ranks_; ++rank) places.push_back(kEach * rank);
    return {buffer, std::vector<Bytes>(places.size(), kEach), places, MPI_INT};
  }

  Rank ranks_ = world_size();
  ChosenVariable checked_;
  ChosenVariable chosen_;
  ChosenVariable effort_;
  OwnCommunicator comm_;
  std::vector<int> memory_;
  int turn_ = 0;
};

TEST_P(CWrongArguments, OfExchanges) {
  walk(kEqualForms, true, false);
  walk(kCForms, true, true);
}

TEST_P(CWrongArguments, OfAllgathers) {
  walk(kEqualGatherForms, false, false);
  walk(kGatherForms, false, true);
}

TEST_P(CWrongArguments, NoRequest) {
  const int counts[5] = {};
  const MPI_Count wide[5] = {};
  const MPI_Aint places[5] = {};
  const std::vector<MPI_Datatype> types(5, MPI_INT);
  int memory = 0;
  const auto t = types.data();
  const auto c = comm_.get();
  const auto i = MPI_INFO_NULL;
  int* const m = &memory;
  const std::vector<std::function<int(SHUNT_Request*)>> functions{
      [&](auto* r) { return SHUNT_Alltoall_init(m, 0, *t, m, 0, *t, c, i, r); },
      [&](auto* r) { return SHUNT_Alltoall_init_c(m, 0, *t, m, 0, *t, c, i, r); },
      [&](auto* r) {
        return SHUNT_Alltoallv_init(m, counts, counts, *t, m, counts, counts, *t, c, i, r);
      },
      [&](auto* r) {
        return SHUNT_Alltoallv_init_c(m, wide, places, *t, m, wide, places, *t, c, i, r);
      },
      [&](auto* r) {
        return SHUNT_Alltoallw_init(m, counts, counts, t, m, counts, counts, t, c, i, r);
      },
      [&](auto* r) {
        return SHUNT_Alltoallw_init_c(m, wide, places, t, m, wide, places, t, c, i, r);
      },
      [&](auto* r) { return SHUNT_Allgather_init(m, 0, *t, m, 0, *t, c, i, r); },
      [&](auto* r) { return SHUNT_Allgather_init_c(m, 0, *t, m, 0, *t, c, i, r); },
      [&](auto* r) { return SHUNT_Allgatherv_init(m, 0, *t, m, counts, counts, *t, c, i, r); },
      [&](auto* r) { return SHUNT_Allgatherv_init_c(m, 0, *t, m, wide, places, *t, c, i, r); },
  };
  for (std::size_t k = 0; k < functions.size(); ++k) {
    SCOPED_TRACE(k);
    SHUNT_Request request = SHUNT_REQUEST_NULL;
    EXPECT_NE(functions[k](is_next() ? nullptr : &request), MPI_SUCCESS);
    EXPECT_EQ(request, SHUNT_REQUEST_NULL);
    ASSERT_EQ(execute(functions[k](&request), request), MPI_SUCCESS) << SHUNT_Last_error();
  }
}

/// An array of 4 elements a rank, in blocks, goes to single elements in turn.
struct Redistributed {
  explicit Redistributed(Rank ranks)
      : sent(4, world_rank()), blocks{4 * ranks, 4, ranks, 0}, cyclic{4 * ranks, 1, ranks, 0} {}

  std::vector<int> sent;
  std::vector<int> received = std::vector<int>(4, -1);
  SHUNT_Dimension blocks;
  SHUNT_Dimension cyclic;
  SHUNT_Array from{1, &blocks, nullptr, MPI_ORDER_C, nullptr, nullptr};
  SHUNT_Array to{1, &cyclic, nullptr, MPI_ORDER_C, nullptr, nullptr};
  const void* out = sent.data();
  void* in = received.data();
  const SHUNT_Array* from_given = &from;
  const SHUNT_Array* to_given = &to;
  std::vector<MPI_Count> extents = {4 * static_cast<MPI_Count>(blocks.places)};
  std::vector<int> axes = {0};
  MPI_Datatype type = MPI_INT;
  MPI_Count negative = -1;
  int outside[1] = {-1};
  SHUNT_Request request = SHUNT_REQUEST_NULL;
  SHUNT_Request* request_given = &request;

  int once(MPI_Comm comm) {
    return SHUNT_Redistribute(out, from_given, in, to_given, extents.data(), axes.data(), type,
                              comm);
  }
  int planned(MPI_Comm comm) {
    return execute(SHUNT_Redistribute_init(out, from_given, in, to_given, extents.data(),
                                           axes.data(), type, comm, MPI_INFO_NULL, request_given),
                   request);
  }
};

struct RedistributionSpoil {
  const char* what;
  void (*spoil)(Redistributed& given);
};

constexpr RedistributionSpoil kRedistributionSpoils[] = {
    {"no array to send", [](Redistributed& g) { g.from_given = nullptr; }},
    {"no array to receive", [](Redistributed& g) { g.to_given = nullptr; }},
    {"no send buffer", [](Redistributed& g) { g.out = nullptr; }},
    {"no receive buffer", [](Redistributed& g) { g.in = nullptr; }},
    {"one buffer", [](Redistributed& g) { g.out = g.in; }},
    {"no dimensions", [](Redistributed& g) { g.from.dimensions = 0; }},
    {"dimensions that are nowhere", [](Redistributed& g) { g.to.dimension = nullptr; }},
    {"a negative extent", [](Redistributed& g) { g.blocks.extent = -1; }},
    {"blocks of nothing", [](Redistributed& g) { g.blocks.block = 0; }},
    {"blocks that are too long", [](Redistributed& g) { g.cyclic.block = MPI_Count{1} << 62; }},
    {"no places", [](Redistributed& g) { g.cyclic.places = 0; }},
    {"too many places", [](Redistributed& g) { g.cyclic.places = 1 << 30; }},
    {"a first place that is none", [](Redistributed& g) { g.cyclic.first = g.cyclic.places; }},
    {"no such order", [](Redistributed& g) { g.from.order = -5; }},
    {"no such rank",
     [](Redistributed& g) {
       g.from.ranks = g.outside;
       g.blocks.places = 1;
     }},
    {"a negative stride", [](Redistributed& g) { g.from.strides = &g.negative; }},
    {"a negative begin", [](Redistributed& g) { g.to.begin = &g.negative; }},
    {"a part that is too long", [](Redistributed& g) { ++g.extents[0]; }},
    {"no such axis", [](Redistributed& g) { g.axes[0] = 1; }},
    {"no type", [](Redistributed& g) { g.type = MPI_DATATYPE_NULL; }},
    {"a type with gaps", [](Redistributed& g) { g.type = MPI_DOUBLE_INT; }},
};

TEST_P(CWrongArguments, OfRedistributions) {
  const auto expect_right = [&](auto call) {
    Redistributed right(ranks_);
    ASSERT_EQ((right.*call)(comm_.get()), MPI_SUCCESS) << SHUNT_Last_error();
    for (Rank k = 0; k < 4; ++k) {
      ASSERT_EQ(right.received[static_cast<std::size_t>(k)], (world_rank() + k * ranks_) / 4);
    }
  };
  for (const auto call : {&Redistributed::once, &Redistributed::planned}) {
    if (!GetParam() && call == &Redistributed::once) continue;
    for (const RedistributionSpoil& spoil : kRedistributionSpoils) {
      SCOPED_TRACE(spoil.what);
      Redistributed given(ranks_);
      if (is_next()) spoil.spoil(given);
      EXPECT_NE((given.*call)(comm_.get()), MPI_SUCCESS);
      ASSERT_NO_FATAL_FAILURE(expect_right(call));
    }
  }
  Redistributed given(ranks_);
  if (is_next()) given.request_given = nullptr;
  EXPECT_NE(given.planned(comm_.get()), MPI_SUCCESS);
  ASSERT_NO_FATAL_FAILURE(expect_right(&Redistributed::planned));
  // Other calls match, too.
  ASSERT_NO_FATAL_FAILURE(expect_right_call(kEqualForms[0]));
  ASSERT_NO_FATAL_FAILURE(expect_right_call(kGatherForms[2]));
}

TEST_P(CWrongArguments, OfMemory) {
  const auto expect_right = [&] {
    void* base = nullptr;
    ASSERT_EQ(SHUNT_Alloc_mem(8, comm_.get(), &base), MPI_SUCCESS) << SHUNT_Last_error();
    ASSERT_EQ(SHUNT_Free_mem(base), MPI_SUCCESS) << SHUNT_Last_error();
  };
  void* base = nullptr;
  EXPECT_NE(SHUNT_Alloc_mem(is_next() ? -1 : 8, comm_.get(), &base), MPI_SUCCESS);
  ASSERT_NO_FATAL_FAILURE(expect_right());
  EXPECT_NE(SHUNT_Alloc_mem(8, comm_.get(), is_next() ? nullptr : &base), MPI_SUCCESS);
  ASSERT_NO_FATAL_FAILURE(expect_right());
  EXPECT_EQ(base, nullptr);
}

INSTANTIATE_TEST_SUITE_P(WithCheckOrWithout, CWrongArguments, testing::Bool());

/// Should ranks have made other calls before, nothing can match any more: an error, and no hang.
TEST(CCheckOfTheCallsBefore, FindsWhatCannotMatch) {
  if (world_size() == 1) GTEST_SKIP() << "takes two ranks";
  const ChosenVariable checked("SHUNT_CHECK", "1");
  const auto comm = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(comm.get(), MPI_ERRORS_RETURN);
  const auto context = Context::of(comm.get());
  if (world_rank() == 0) (void)context->draw_tag();
  std::vector<int> memory(static_cast<std::size_t>(2 * world_size()));
  for (int turn = 0; turn < 2; ++turn) {
    expect_failure(SHUNT_Alltoall(memory.data(), 1, MPI_INT, memory.data() + world_size(), 1,
                                  MPI_INT, comm.get()),
                   MPI_ERR_OTHER, "an earlier call without SHUNT_CHECK failed on some ranks only");
  }
}

}  // namespace
}  // namespace shunt::test
