// SHUNT_Allgather and SHUNT_Allgatherv in all their forms: bytes as MPI_Allgatherv, errors, and
// what SHUNT_CHECK finds.
#include <functional>

#include <gtest/gtest.h>

#include "mpi/c_forms.hpp"
#include "mpi/own_communicator.hpp"
#include "mpi/typed_memory.hpp"

namespace shunt::test {
namespace {

/// What is sent has one count; in place it has none.
template <class Count>
Count sent_by(const CSide& out) {
  return out.counts.empty() ? 0 : static_cast<Count>(out.counts[0]);
}

template <class Arrays, class Count, class Function>
int gather(Function function, const CSide& out, const CSide& in, MPI_Comm comm) {
  const Arrays r(in);
  return function(out.buffer, sent_by<Count>(out), out.type, memory_of(in), r.counts, r.places,
                  in.type, comm);
}

template <class Arrays, class Count, class Function>
int plan_gather(Function function, const CSide& out, const CSide& in, MPI_Comm comm) {
  const Arrays r(in);
  SHUNT_Request request = SHUNT_REQUEST_NULL;
  return execute(function(out.buffer, sent_by<Count>(out), out.type, memory_of(in), r.counts,
                          r.places, in.type, comm, MPI_INFO_NULL, &request),
                 request);
}

constexpr CForm kGatherForms[] = {
    {"allgatherv",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       return gather<IntArrays, int>(SHUNT_Allgatherv, out, in, comm);
     }},
    {"allgatherv_c",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       return gather<WideArrays, MPI_Count>(SHUNT_Allgatherv_c, out, in, comm);
     }},
    {"allgatherv_init",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       return plan_gather<IntArrays, int>(SHUNT_Allgatherv_init, out, in, comm);
     }},
    {"allgatherv_init_c",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       return plan_gather<WideArrays, MPI_Count>(SHUNT_Allgatherv_init_c, out, in, comm);
     }},
};

constexpr CForm kEqualGatherForms[] = {
    {"allgather",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       return SHUNT_Allgather(out.buffer, sent_by<int>(out), out.type, memory_of(in),
                              static_cast<int>(in.counts[0]), in.type, comm);
     }},
    {"allgather_c",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       return SHUNT_Allgather_c(out.buffer, sent_by<MPI_Count>(out), out.type, memory_of(in),
                                in.counts[0], in.type, comm);
     }},
    {"allgather_init",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       SHUNT_Request request = SHUNT_REQUEST_NULL;
       return execute(SHUNT_Allgather_init(out.buffer, sent_by<int>(out), out.type, memory_of(in),
                                           static_cast<int>(in.counts[0]), in.type, comm,
                                           MPI_INFO_NULL, &request),
                      request);
     }},
    {"allgather_init_c",
     [](const CSide& out, const CSide& in, MPI_Comm comm) {
       SHUNT_Request request = SHUNT_REQUEST_NULL;
       return execute(
           SHUNT_Allgather_init_c(out.buffer, sent_by<MPI_Count>(out), out.type, memory_of(in),
                                  in.counts[0], in.type, comm, MPI_INFO_NULL, &request),
           request);
     }},
};

constexpr const char* kBroadcasts[] = {"auto", "br-lin", "native", "scatter-first", "br-ring"};

using Maker = OwnType (*)();
constexpr Maker kTypes[] = {contiguous,
                            vector_with_holes,
                            resized_with_negative_bound,
                            indexed_out_of_order,
                            structure,
                            shifted,
                            far_apart,
                            dense_but_permuted,
                            displaced_before_its_origin};

CSide as_argument(Side& side, MPI_Datatype type) {
  return {side.origin(), side.layout().counts, side.layout().displacements, type};
}

/// What MPI makes of plain bytes, dealt out by MPI_Unpack: some MPIs are wrong for some of the
/// types.
std::vector<std::byte> expected_bytes(Side& send, MPI_Datatype send_type, Side received,
                                      MPI_Datatype receive_type) {
  const std::vector<Bytes>& elements = received.layout().counts;
  constexpr int kElementBytes = 24;
  std::vector<int> counts = ints(elements);
  for (int& count : counts) count *= kElementBytes;
  const std::vector<int> places = ints(Layout::packed(counts).displacements);
  const auto own = static_cast<std::size_t>(world_rank());
  std::vector<std::byte> packed(static_cast<std::size_t>(counts[own]) + 1);
  int at = 0;
  MPI_Pack(send.origin(), counts[own] / kElementBytes, send_type, packed.data(), counts[own], &at,
           MPI_COMM_SELF);
  std::vector<std::byte> all(static_cast<std::size_t>(places.back() + counts.back()) + 1);
  MPI_Allgatherv(packed.data(), counts[own], MPI_BYTE, all.data(), counts.data(), places.data(),
                 MPI_BYTE, MPI_COMM_WORLD);
  MPI_Aint bound = 0;
  MPI_Aint extent = 0;
  MPI_Type_get_extent(receive_type, &bound, &extent);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    at = 0;
    MPI_Unpack(all.data() + places[k], counts[k], &at,
               received.origin() + received.layout().displacements[k] * extent,
               static_cast<int>(elements[k]), receive_type, MPI_COMM_SELF);
  }
  return received.memory();
}

/// `forms` under one broadcast in turn, not in place and in place, for each pair of types.
void expect_bytes(std::span<const CForm> forms, const std::vector<Bytes>& counts, bool equal) {
  std::size_t turn = 0;
  for (std::size_t k = 0; k < std::size(kTypes); ++k) {
    const OwnType send_type = kTypes[k]();
    const OwnType receive_type = kTypes[(3 * k + 1) % std::size(kTypes)]();
    const auto own = static_cast<std::size_t>(world_rank());
    Side send(Layout{{counts[own]}, {0}}, send_type.get());
    send.fill(1);
    const Side before =
        equal ? Side(Layout::packed(counts), receive_type.get()) : Side(counts, receive_type.get());
    Side received = before;
    received.poison();
    const auto expected = expected_bytes(send, send_type.get(), received, receive_type.get());
    for (const CForm& form : forms) {
      const char* const broadcast = kBroadcasts[turn++ % std::size(kBroadcasts)];
      SCOPED_TRACE(std::string(form.name) + ", " + broadcast + ", types " + std::to_string(k));
      const ChosenVariable chosen("SHUNT_BROADCAST", broadcast);
      received.poison();
      ASSERT_EQ(form.call(as_argument(send, send_type.get()),
                          as_argument(received, receive_type.get()), MPI_COMM_WORLD),
                MPI_SUCCESS)
          << SHUNT_Last_error();
      ASSERT_EQ(received.memory(), expected);

      // The own block comes from where it belongs.
      Side in_place = before;
      in_place.fill(2);
      MPI_Aint bound = 0;
      MPI_Aint extent = 0;
      MPI_Type_get_extent(receive_type.get(), &bound, &extent);
      Side own_block = in_place;
      const Bytes place = before.layout().displacements[own];
      const auto expected_in_place = [&] {
        Side moved(Layout{{counts[own]}, {0}}, receive_type.get());
        moved.poison();
        std::vector<std::byte> packed(static_cast<std::size_t>(counts[own]) * 24 + 1);
        const int bytes = static_cast<int>(packed.size());
        int at = 0;
        MPI_Pack(own_block.origin() + place * extent, static_cast<int>(counts[own]),
                 receive_type.get(), packed.data(), bytes, &at, MPI_COMM_SELF);
        at = 0;
        MPI_Unpack(packed.data(), bytes, &at, moved.origin(), static_cast<int>(counts[own]),
                   receive_type.get(), MPI_COMM_SELF);
        return expected_bytes(moved, receive_type.get(), in_place, receive_type.get());
      }();
      ASSERT_EQ(
          form.call(CSide::in_place(), as_argument(in_place, receive_type.get()), MPI_COMM_WORLD),
          MPI_SUCCESS)
          << SHUNT_Last_error();
      ASSERT_EQ(in_place.memory(), expected_in_place);
    }
  }
}

TEST(CBroadcastExactness, OfBlocksOfAnyLength) {
  std::vector<Bytes> counts;
  for (Rank rank = 0; rank < world_size(); ++rank) counts.push_back((5 * rank + 2) % 4);
  expect_bytes(kGatherForms, counts, false);
}

TEST(CBroadcastExactness, OfEqualBlocks) {
  expect_bytes(kEqualGatherForms, std::vector<Bytes>(static_cast<std::size_t>(world_size()), 3),
               true);
}

/// The class of `code`, and the sentence, are as expected.
void expect_failure(int code, int error_class, const std::string& words) {
  int found = MPI_SUCCESS;
  MPI_Error_class(code, &found);
  EXPECT_EQ(found, error_class);
  EXPECT_NE(std::string(SHUNT_Last_error()).find(words), std::string::npos)
      << "\"" << SHUNT_Last_error() << "\" does not say \"" << words << "\"";
}

/// Four ints on a communicator of one rank whose errors are returned.
class CBroadcastErrors : public testing::Test {
 protected:
  CBroadcastErrors() : self_(OwnCommunicator::duplicate(MPI_COMM_SELF)) {
    MPI_Comm_set_errhandler(self_.get(), MPI_ERRORS_RETURN);
  }

  /// All forms fail after `spoil(out, in)`.
  void expect_all(int error_class, const std::string& words,
                  const std::function<void(CSide&, CSide&)>& spoil) {
    for (const std::span<const CForm> forms :
         {std::span(kGatherForms), std::span(kEqualGatherForms)}) {
      for (const CForm& form : forms) {
        SCOPED_TRACE(form.name);
        CSide out{send_, {4}, {0}, MPI_INT};
        CSide in{received_, {4}, {0}, MPI_INT};
        EXPECT_EQ(form.call(out, in, self_.get()), MPI_SUCCESS) << SHUNT_Last_error();
        EXPECT_EQ(received_[3], 4);
        spoil(out, in);
        expect_failure(form.call(out, in, self_.get()), error_class, words);
      }
    }
  }

  OwnCommunicator self_;
  int send_[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int received_[8] = {};
};

TEST_F(CBroadcastErrors, OfArguments) {
  expect_all(MPI_ERR_COUNT, "on rank 0: the send count is -3, which is negative",
             [](CSide& out, CSide&) { out.counts = {-3}; });
  expect_all(MPI_ERR_COUNT, "is -1, which is negative",
             [](CSide&, CSide& in) { in.counts = {-1}; });
  expect_all(MPI_ERR_BUFFER, "the send buffer is null",
             [](CSide& out, CSide&) { out.buffer = nullptr; });
  expect_all(MPI_ERR_BUFFER, "the receive buffer is null",
             [](CSide&, CSide& in) { in.buffer = nullptr; });
  expect_all(MPI_ERR_BUFFER, "the receive buffer is MPI_IN_PLACE",
             [](CSide&, CSide& in) { in.buffer = MPI_IN_PLACE; });
  expect_all(MPI_ERR_BUFFER, "send block 0 and receive block 0 overlap",
             [](CSide& out, CSide& in) { in.buffer = out.buffer; });
  expect_all(MPI_ERR_TYPE, "the send type is MPI_DATATYPE_NULL",
             [](CSide& out, CSide&) { out.type = MPI_DATATYPE_NULL; });
  expect_all(MPI_ERR_TRUNCATE, "rank 0 sends itself 8 bytes and expects 16",
             [](CSide& out, CSide&) { out.counts = {2}; });
  const int one = 1;
  expect_failure(
      SHUNT_Allgatherv(send_, 1, MPI_INT, received_, nullptr, &one, MPI_INT, self_.get()),
      MPI_ERR_ARG, "the receive counts are null");
  expect_failure(
      SHUNT_Allgatherv(send_, 1, MPI_INT, received_, &one, nullptr, MPI_INT, self_.get()),
      MPI_ERR_ARG, "the receive displacements are null");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  expect_failure(SHUNT_Allgather(send_, 1, MPI_INT, received_, 1, MPI_INT, MPI_COMM_NULL),
                 MPI_ERR_COMM, "SHUNT_Allgather: the communicator is MPI_COMM_NULL");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

TEST_F(CBroadcastErrors, OfTheEnvironment) {
  for (const char* name : {"br-log", "a4"}) {
    const ChosenVariable chosen("SHUNT_BROADCAST", name);
    expect_failure(SHUNT_Allgather(send_, 1, MPI_INT, received_, 1, MPI_INT, self_.get()),
                   MPI_ERR_ARG,
                   std::string("SHUNT_BROADCAST is \"") + name + "\": there is no broadcast");
    EXPECT_EQ(SHUNT_Alltoall(send_, 1, MPI_INT, received_, 1, MPI_INT, self_.get()), MPI_SUCCESS);
  }
}

/// A rank that believes another to send less.
TEST(CBroadcastCheck, TellsWhoDisagrees) {
  if (world_size() == 1) GTEST_SKIP() << "one rank agrees with itself";
  const ChosenVariable checked("SHUNT_CHECK", "1");
  const auto comm = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(comm.get(), MPI_ERRORS_RETURN);
  const auto ranks = static_cast<std::size_t>(world_size());
  const Rank last = world_size() - 1;
  std::vector<int> counts(ranks, 2);
  std::vector<int> places(ranks);
  for (std::size_t k = 0; k < ranks; ++k) places[k] = static_cast<int>(2 * k);
  const int mine[] = {world_rank(), -world_rank()};
  std::vector<int> received(2 * ranks, -1);
  auto call = [&] {
    return SHUNT_Allgatherv(mine, 2, MPI_INT, received.data(), counts.data(), places.data(),
                            MPI_INT, comm.get());
  };
  if (world_rank() == last) counts[0] = 1;
  const int code = call();
  if (world_rank() == 0 || world_rank() == last) {
    expect_failure(code, MPI_ERR_TRUNCATE,
                   "rank 0 sends 8 bytes to rank " + std::to_string(last) + ", which expects 4");
  } else {
    expect_failure(code, MPI_ERR_OTHER, "so no rank exchanges anything");
  }
  EXPECT_EQ(received, std::vector<int>(2 * ranks, -1));
  counts[0] = 2;
  ASSERT_EQ(call(), MPI_SUCCESS) << SHUNT_Last_error();
  for (Rank rank = 0; rank <= last; ++rank) {
    EXPECT_EQ(received[2 * static_cast<std::size_t>(rank)], rank);
    EXPECT_EQ(received[2 * static_cast<std::size_t>(rank) + 1], -rank);
  }
}

}  // namespace
}  // namespace shunt::test
