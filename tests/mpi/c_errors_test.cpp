// Errors of the C interface: the class, the sentence, and the error handler that hears of it.
#include <cstdlib>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mpi/c_failure.hpp"
#include "mpi/c_forms.hpp"
#include "mpi/own_communicator.hpp"
#include "mpi/typed_memory.hpp"

namespace shunt::test {
namespace {

/// A communicator of one rank whose errors are returned. Nobody else is left waiting.
class CErrors : public testing::Test {
 protected:
  CErrors() : self_(OwnCommunicator::duplicate(MPI_COMM_SELF)) {
    MPI_Comm_set_errhandler(self_.get(), MPI_ERRORS_RETURN);
  }

  /// All forms fail after `spoil(out, in)`, and all succeed without.
  template <class Spoil>
  void expect_all(int error_class, const std::string& words, Spoil&& spoil,
                  std::span<const CForm> forms = kCForms) {
    for (const CForm& form : forms) {
      SCOPED_TRACE(form.name);
      CSide out{send_, {4}, {0}, MPI_INT};
      CSide in{received_, {4}, {0}, MPI_INT};
      spoil(out, in);
      expect_failure(form.call(out, in, self_.get()), error_class, words);
      ASSERT_EQ(form.call({send_, {4}, {0}, MPI_INT}, {received_, {4}, {0}, MPI_INT}, self_.get()),
                MPI_SUCCESS)
          << SHUNT_Last_error();
      EXPECT_EQ(received_[3], 4);
    }
  }

  static constexpr CForm kWideForms[] = {kCForms[1], kCForms[3], kCForms[5], kCForms[7]};

  OwnCommunicator self_;
  int send_[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int received_[8] = {};
};

TEST_F(CErrors, NegativeCount) {
  expect_all(MPI_ERR_COUNT, "on rank 0: send count 0 is -3, which is negative",
             [](CSide& out, CSide&) { out.counts = {-3}; });
  expect_all(MPI_ERR_COUNT, "receive count 0 is -1, which is negative",
             [](CSide&, CSide& in) { in.counts = {-1}; });
  expect_all(
      MPI_ERR_COUNT, "the send count is -1, which is negative",
      [](CSide& out, CSide&) { out.counts = {-1}; }, kEqualForms);
  expect_all(
      MPI_ERR_COUNT, "the receive count is -2, which is negative",
      [](CSide& out, CSide& in) {
        out = CSide::in_place();
        in.counts = {-2};
      },
      kEqualForms);
}

TEST_F(CErrors, MoreThan64Bits) {
  constexpr Bytes kMost = std::numeric_limits<Bytes>::max();
  expect_all(
      MPI_ERR_COUNT, "a count of 4611686018427387904 times 4 bytes exceeds 64 bits",
      [](CSide& out, CSide&) { out.counts = {Bytes{1} << 62}; }, kWideForms);
  expect_all(
      MPI_ERR_COUNT, "exceeds 64 bits", [](CSide&, CSide& in) { in.places = {kMost / 4}; },
      kWideForms);
  const MPI_Count one = 1;
  const MPI_Aint none = 0;
  const MPI_Aint far = kMost;
  expect_failure(
      SHUNT_Alltoallv_c(send_, &one, &far, MPI_INT, received_, &one, &none, MPI_INT, self_.get()),
      MPI_ERR_COUNT, "a displacement of 9223372036854775807 times 4 bytes exceeds 64 bits");
}

TEST_F(CErrors, NullBuffer) {
  expect_all(MPI_ERR_BUFFER, "the send buffer is null, and send block 0 has 4 elements",
             [](CSide& out, CSide&) { out.buffer = nullptr; });
  expect_all(MPI_ERR_BUFFER, "the receive buffer is null, and receive block 0 has 4 elements",
             [](CSide&, CSide& in) { in.buffer = nullptr; });
  expect_all(
      MPI_ERR_BUFFER, "the send buffer is null", [](CSide& out, CSide&) { out.buffer = nullptr; },
      kEqualForms);
}

TEST_F(CErrors, NotForEmptyBlocksAnywhere) {
  for (const CForm& form : kCForms) {
    SCOPED_TRACE(form.name);
    const CSide nothing{nullptr, {0}, {-5}, MPI_INT};
    EXPECT_EQ(form.call(nothing, nothing, self_.get()), MPI_SUCCESS) << SHUNT_Last_error();
  }
}

TEST_F(CErrors, NoArrays) {
  const int one = 1;
  const MPI_Datatype type = MPI_INT;
  MPI_Comm comm = self_.get();
  expect_failure(
      SHUNT_Alltoallv(send_, nullptr, &one, type, received_, &one, &one, type, comm), MPI_ERR_ARG,
      "SHUNT_Alltoallv on rank 0: the send counts are null; they are an array with an entry for "
      "each of the 1 ranks");
  expect_failure(SHUNT_Alltoallv(send_, &one, nullptr, type, received_, &one, &one, type, comm),
                 MPI_ERR_ARG, "the send displacements are null");
  expect_failure(SHUNT_Alltoallv(send_, &one, &one, type, received_, nullptr, &one, type, comm),
                 MPI_ERR_ARG, "the receive counts are null");
  expect_failure(
      SHUNT_Alltoallv(MPI_IN_PLACE, nullptr, nullptr, type, received_, &one, nullptr, type, comm),
      MPI_ERR_ARG, "the receive displacements are null");
  expect_failure(SHUNT_Alltoallw(send_, &one, &one, nullptr, received_, &one, &one, &type, comm),
                 MPI_ERR_ARG, "the send types are null");
  expect_failure(SHUNT_Alltoallw(send_, &one, &one, &type, received_, &one, &one, nullptr, comm),
                 MPI_ERR_ARG, "the receive types are null");
}

TEST_F(CErrors, NoDatatype) {
  const std::span<const CForm> forms(kCForms);
  expect_all(
      MPI_ERR_TYPE, "the send type is MPI_DATATYPE_NULL",
      [](CSide& out, CSide&) { out.type = MPI_DATATYPE_NULL; }, forms.first(2));
  expect_all(
      MPI_ERR_TYPE, "send type 0 is MPI_DATATYPE_NULL",
      [](CSide& out, CSide&) { out.type = MPI_DATATYPE_NULL; }, forms.subspan(2, 2));
  expect_all(
      MPI_ERR_TYPE, "the receive type is MPI_DATATYPE_NULL",
      [](CSide&, CSide& in) { in.type = MPI_DATATYPE_NULL; }, kEqualForms);
}

TEST_F(CErrors, TypeThatIsNotCommitted) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(4, MPI_INT, &type);
  expect_all(MPI_ERR_TYPE, "is not a datatype that MPI can pack: it must be committed",
             [&](CSide& out, CSide&) {
               out = {send_, {1}, {0}, type};
             });
  MPI_Type_commit(&type);
  EXPECT_EQ(SHUNT_Alltoall(send_, 1, type, received_, 4, MPI_INT, self_.get()), MPI_SUCCESS);
  MPI_Type_free(&type);
}

TEST_F(CErrors, InPlaceAsReceiveBuffer) {
  expect_all(MPI_ERR_BUFFER, "the receive buffer is MPI_IN_PLACE; only the send buffer may be",
             [](CSide&, CSide& in) { in.buffer = MPI_IN_PLACE; });
}

TEST_F(CErrors, BuffersThatOverlap) {
  expect_all(MPI_ERR_BUFFER, "send block 0 and receive block 0 overlap",
             [&](CSide&, CSide& in) { in.buffer = send_; });
  expect_all(MPI_ERR_BUFFER, "send block 0 and receive block 0 overlap",
             [&](CSide& out, CSide& in) {
               out = {received_, {4}, {0}, MPI_INT};
               in = {received_, {4}, {3}, MPI_INT};
             });
  // Side by side, and between each other.
  EXPECT_EQ(SHUNT_Alltoall(send_, 4, MPI_INT, send_ + 4, 4, MPI_INT, self_.get()), MPI_SUCCESS);
  EXPECT_EQ(send_[7], 4);
  MPI_Datatype every_other = MPI_DATATYPE_NULL;
  MPI_Type_vector(4, 1, 2, MPI_INT, &every_other);
  const OwnType type(every_other);
  EXPECT_EQ(SHUNT_Alltoall(send_, 1, type.get(), send_ + 1, 1, type.get(), self_.get()),
            MPI_SUCCESS);
  EXPECT_EQ(send_[7], send_[6]);
}

TEST_F(CErrors, OwnBlockThatDisagrees) {
  expect_all(MPI_ERR_TRUNCATE, "rank 0 sends itself 16 bytes and expects 12",
             [](CSide&, CSide& in) { in.counts = {3}; });
  expect_all(MPI_ERR_TRUNCATE, "rank 0 sends itself 8 bytes and expects 16",
             [](CSide& out, CSide&) { out.counts = {2}; });
}

TEST_F(CErrors, NoRequest) {
  SHUNT_Request none = SHUNT_REQUEST_NULL;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  expect_failure(SHUNT_Start(&none), MPI_ERR_REQUEST,
                 "SHUNT_Start: the request is SHUNT_REQUEST_NULL");
  expect_failure(SHUNT_Request_free(&none), MPI_ERR_REQUEST, "the request is SHUNT_REQUEST_NULL");
  expect_failure(SHUNT_Start(nullptr), MPI_ERR_ARG, "the pointer to the request is null");
  expect_failure(SHUNT_Test(&none, nullptr, MPI_STATUS_IGNORE), MPI_ERR_ARG,
                 "the pointer to the flag is null");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  expect_failure(SHUNT_Alltoall_init(send_, 1, MPI_INT, received_, 1, MPI_INT, self_.get(),
                                     MPI_INFO_NULL, nullptr),
                 MPI_ERR_ARG, "the pointer to the request is null");
}

TEST_F(CErrors, NoCommunicator) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  expect_failure(SHUNT_Alltoall(send_, 1, MPI_INT, received_, 1, MPI_INT, MPI_COMM_NULL),
                 MPI_ERR_COMM, "SHUNT_Alltoall: the communicator is MPI_COMM_NULL");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

TEST_F(CErrors, Intercommunicator) {
  if (world_size() == 1) GTEST_SKIP() << "one rank has no other group to meet";
  const int colour = world_rank() % 2;
  const auto group = OwnCommunicator::split(MPI_COMM_WORLD, colour, 0);
  MPI_Comm inter = MPI_COMM_NULL;
  MPI_Intercomm_create(group.get(), 0, MPI_COMM_WORLD, 1 - colour, 5, &inter);
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
  expect_failure(SHUNT_Alltoall(send_, 1, MPI_INT, received_, 1, MPI_INT, inter), MPI_ERR_COMM,
                 "the communicator is an intercommunicator");
  MPI_Comm_free(&inter);
}

TEST_F(CErrors, Environment) {
  const auto refused = [&](const char* variable, const char* value, const std::string& words) {
    const ChosenVariable chosen(variable, value);
    expect_failure(SHUNT_Alltoall(send_, 1, MPI_INT, received_, 1, MPI_INT, self_.get()),
                   MPI_ERR_ARG, words);
  };
  refused("SHUNT_ALGORITHM", "a9", "SHUNT_ALGORITHM is \"a9\": there is no algorithm \"a9\"");
  refused("SHUNT_ALGORITHM", "groups:5", "SHUNT_ALGORITHM is \"groups:5\": groups:5 leaves no");
  refused("SHUNT_MODE", "triple",
          "SHUNT_MODE is \"triple\"; it is one of blocking, single and dual");
  refused("SHUNT_PACKET", "64k", "SHUNT_PACKET is \"64k\"; it is a number of bytes, or 0");
  refused("SHUNT_PACKET", "-1", "SHUNT_PACKET is \"-1\"; it is a number of bytes, or 0");
  for (const char* wrong : {"64X", "-1", "M", "64 M", "9999999999G"}) {
    refused("SHUNT_MEMORY", wrong,
            std::string("SHUNT_MEMORY is \"") + wrong + "\"; it is a number of bytes");
  }
  refused("SHUNT_CHECK", "yes", "SHUNT_CHECK is \"yes\"; it is 0 or 1");
  for (const char* mode : {"blocking", "single", "dual"}) {
    const ChosenVariable chosen("SHUNT_MODE", mode);
    EXPECT_STREQ(name_of(environment().options.mode), mode);
    EXPECT_EQ(SHUNT_Alltoall(send_, 1, MPI_INT, received_, 1, MPI_INT, self_.get()), MPI_SUCCESS);
  }
}

/// Ranks that take part in an agreement or a trace alone would wait for the others for good.
TEST_F(CErrors, VariablesThatOneRankHasAlone) {
  if (world_size() == 1) return;
  for (const auto& [name, value] :
       {std::pair("SHUNT_CHECK", "1"), {"SHUNT_TRACE", "/nowhere"}, {"SHUNT_MODE", "sideways"}}) {
    std::optional<ChosenVariable> chosen;
    if (world_rank() == world_size() - 1) chosen.emplace(name, value);
    const auto all = OwnCommunicator::split(MPI_COMM_WORLD, 0, 0);
    MPI_Comm_set_errhandler(all.get(), MPI_ERRORS_RETURN);
    std::vector<int> out(index_of(world_size()), world_rank());
    std::vector<int> in(out.size());
    for (int call = 0; call < 2; ++call) {
      expect_failure(SHUNT_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, all.get()),
                     MPI_ERR_ARG, std::string(name) + " is");
    }
    SHUNT_Request request = nullptr;
    expect_failure(SHUNT_Alltoall_init(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, all.get(),
                                       MPI_INFO_NULL, &request),
                   MPI_ERR_ARG, std::string(name) + " is");
  }
}

/// Without SHUNT_CHECK it is the receiver that sees it, when the message is there.
TEST_F(CErrors, BlocksOfTwoRanksThatDisagree) {
  const auto pair = OwnCommunicator::split(MPI_COMM_WORLD, world_rank() / 2, 0);
  if (world_rank() == world_size() - 1 && world_size() % 2 == 1) return;
  // MPICH reports some errors of waiting to MPI_COMM_WORLD.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(pair.get(), MPI_ERRORS_RETURN);
  const bool sender = world_rank() % 2 == 0;
  const int none[] = {0, 0};
  const int to_second[] = {0, 4};
  const int from_first[] = {2, 0};
  const int code = SHUNT_Alltoallv(send_, sender ? to_second : none, none, MPI_INT, received_,
                                   sender ? none : from_first, none, MPI_INT, pair.get());
  if (sender) {
    EXPECT_EQ(code, MPI_SUCCESS);
  } else {
    expect_failure(code, MPI_ERR_TRUNCATE, "SHUNT_Alltoallv on rank 1: ");
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int heard_class = MPI_SUCCESS;
MPI_Comm heard_comm = MPI_COMM_NULL;

/// C's variable arguments are in the type that MPI asks for.
void listen(MPI_Comm* comm, int* code, ...) {  // NOLINT(cert-dcl50-cpp)
  heard_comm = *comm;
  MPI_Error_class(*code, &heard_class);
}

TEST_F(CErrors, GoToTheHandlerOfTheCommunicator) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(listen, &handler);
  MPI_Comm_set_errhandler(self_.get(), handler);
  heard_class = MPI_SUCCESS;
  EXPECT_EQ(SHUNT_Alltoall(send_, -1, MPI_INT, received_, 1, MPI_INT, self_.get()), MPI_ERR_COUNT);
  EXPECT_EQ(heard_class, MPI_ERR_COUNT);
  EXPECT_EQ(heard_comm, self_.get());

  // A request outlives its communicator, and the handler with it.
  SHUNT_Request request = SHUNT_REQUEST_NULL;
  ASSERT_EQ(SHUNT_Alltoall_init(send_, 1, MPI_INT, received_, 1, MPI_INT, self_.get(),
                                MPI_INFO_NULL, &request),
            MPI_SUCCESS);
  MPI_Errhandler_free(&handler);
  self_.free();
  ASSERT_EQ(SHUNT_Start(&request), MPI_SUCCESS);
  heard_class = MPI_SUCCESS;
  expect_failure(SHUNT_Start(&request), MPI_ERR_REQUEST, "the request is under way");
  EXPECT_EQ(heard_class, MPI_ERR_REQUEST);
  EXPECT_EQ(SHUNT_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(received_[0], 1);
  EXPECT_EQ(SHUNT_Request_free(&request), MPI_SUCCESS);
}

}  // namespace
}  // namespace shunt::test
