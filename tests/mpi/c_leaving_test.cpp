// Error handlers that do not return to the C interface.
#include <csetjmp>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <pthread.h>

#include "mpi/c_forms.hpp"
#include "mpi/own_communicator.hpp"
#include "shunt/shunt.h"

namespace shunt::test {
namespace {

struct Left {};

/// What the handler does.
void (*leave)() = nullptr;
std::jmp_buf way_out;
bool may_be_cancelled = false;

void run_leave(MPI_Comm* /*comm*/, int* /*code*/, ...) {
  int state = PTHREAD_CANCEL_DISABLE;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  pthread_setcancelstate(state, nullptr);
  may_be_cancelled = state == PTHREAD_CANCEL_ENABLE;
  leave();
}

/// Wrong calls on a communicator of one rank, whose handler leaves them.
class Leaving : public testing::Test {
 protected:
  Leaving() : self_(OwnCommunicator::duplicate(MPI_COMM_SELF)) {
    MPI_Comm_create_errhandler(run_leave, &handler_);
    MPI_Comm_set_errhandler(self_.get(), handler_);
  }
  ~Leaving() override { MPI_Errhandler_free(&handler_); }

  /// Once a handler of MPICH 4.2 has left by an exception, and MPI_Comm_get_errhandler's is freed,
  /// the next one to be called ends in an assertion of MPICH's, without Shunt too.
  void SetUp() override {
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(library, &length);
    const std::string name(library);
    if (name.starts_with("MPICH Version:") && name.find("4.2.") < name.find('\n')) {
      GTEST_SKIP() << "handlers of MPICH 4.2 cannot leave twice";
    }
  }
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;

  /// All of them, each left by `leave_call(call)`; in between there are right ones.
  template <class LeaveCall>
  void expect_all_left(LeaveCall leave_call) {
    const CSide right{memory_, {2}, {0}, MPI_INT};
    const CSide right_in{memory_ + 4, {2}, {0}, MPI_INT};
    const CSide wrong{memory_ + 4, {-1}, {0}, MPI_INT};
    std::vector<std::function<void()>> calls;
    for (const CForm& form : kCForms) {
      calls.emplace_back([&, form] { form.call(wrong, wrong, self_.get()); });
    }
    calls.emplace_back([&] {
      SHUNT_Redistribute(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, MPI_INT,
                         self_.get());
    });
    calls.emplace_back([&] { SHUNT_Alloc_mem(-1, self_.get(), &base_); });
    calls.emplace_back([&] {
      SHUNT_Allgather(memory_, 1, MPI_DATATYPE_NULL, memory_ + 4, 1, MPI_DATATYPE_NULL,
                      self_.get());
    });
    for (std::size_t k = 0; k < calls.size(); ++k) {
      SCOPED_TRACE(k);
      may_be_cancelled = false;
      EXPECT_TRUE(leave_call(calls[k]));
      EXPECT_TRUE(may_be_cancelled);
      ASSERT_EQ(kCForms[0].call(right, right_in, self_.get()), MPI_SUCCESS);
      ASSERT_EQ(kCForms[0].call(right, right_in, MPI_COMM_SELF), MPI_SUCCESS);
    }
  }

  OwnCommunicator self_;
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
  int memory_[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  void* base_ = nullptr;
};

TEST_F(Leaving, ByAnException) {
  leave = [] { throw Left(); };
  expect_all_left([](const std::function<void()>& call) {
    try {
      call();
    } catch (const Left&) {
      return true;
    }
    return false;
  });
}

TEST_F(Leaving, ByAJump) {
  leave = [] { std::longjmp(way_out, 1); };
  expect_all_left([](const std::function<void()>& call) {
    if (setjmp(way_out) != 0) return true;
    call();
    return false;
  });
}

/// The handler was that of a communicator which is freed, and is lent to another one.
TEST_F(Leaving, ARequestByAnException) {
  leave = [] { throw Left(); };
  SHUNT_Request request = SHUNT_REQUEST_NULL;
  ASSERT_EQ(SHUNT_Alltoall_init(memory_, 2, MPI_INT, memory_ + 4, 2, MPI_INT, self_.get(),
                                MPI_INFO_NULL, &request),
            MPI_SUCCESS);
  self_.free();
  ASSERT_EQ(SHUNT_Start(&request), MPI_SUCCESS);
  EXPECT_THROW(SHUNT_Start(&request), Left);
  EXPECT_THROW(SHUNT_Start(&request), Left);
  ASSERT_EQ(SHUNT_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  ASSERT_EQ(SHUNT_Request_free(&request), MPI_SUCCESS);
  EXPECT_EQ(memory_[4], 1);
}

}  // namespace
}  // namespace shunt::test
