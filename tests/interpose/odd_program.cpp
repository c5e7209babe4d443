// Programs that leave calls, MPI and their processes in unusual ways: one case for each name. Every
// exchange is looked at. It ends with 0 if all is well, as it does without Shunt.
#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <mpi.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

int wrong = 0;

/// `length` ints for each rank, by each of both functions; counts what is not there.
void exchange(MPI_Comm comm, int length = 3) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  std::vector<int> sent(static_cast<std::size_t>(ranks * length));
  std::vector<int> received(sent.size());
  for (int k = 0; k < ranks * length; ++k) sent[static_cast<std::size_t>(k)] = 1000 * rank + k;
  if (MPI_Alltoall(sent.data(), length, MPI_INT, received.data(), length, MPI_INT, comm) != 0) {
    ++wrong;
  }
  for (int k = 0; k < ranks * length; ++k) {
    const int expected = 1000 * (k / length) + rank * length + k % length;
    if (received[static_cast<std::size_t>(k)] != expected) ++wrong;
  }
  if (MPI_Allgather(&rank, 1, MPI_INT, received.data(), 1, MPI_INT, comm) != 0) ++wrong;
  for (int k = 0; k < ranks; ++k) {
    if (received[static_cast<std::size_t>(k)] != k) ++wrong;
  }
}

void exchange_often(MPI_Comm comm) {
  for (int k = 0; k < 40; ++k) exchange(comm);
}

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

MPI_Comm duplicate(MPI_Comm comm) {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_dup(comm, &made);
  return made;
}

// Exchanges in MPI_Finalize.

int exchange_at_end(MPI_Comm /*self*/, int /*key*/, void* /*value*/, void* /*extra*/) {
  exchange(MPI_COMM_WORLD);
  exchange(MPI_COMM_SELF);
  return MPI_SUCCESS;
}

void hang_on_self() {
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, exchange_at_end, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
}

void hook_before() {
  hang_on_self();
  exchange_often(MPI_COMM_WORLD);
}

void hook_after() {
  exchange_often(MPI_COMM_WORLD);
  hang_on_self();
}

/// Only some ranks have called before, and one of them on its own.
void hook_uneven() {
  if (world_rank() == 0) hang_on_self();
  if (world_rank() == 1) exchange(MPI_COMM_SELF);
  if (world_rank() != 0) hang_on_self();
}

// Error handlers that do not return.

std::jmp_buf back;
std::function<void()> on_error;

void run_on_error(MPI_Comm* /*comm*/, int* /*code*/, ...) { on_error(); }

MPI_Comm with_handler(MPI_Comm comm) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(run_on_error, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Errhandler_free(&handler);
  return comm;
}

int buffer[64];

void call_with_wrong_count(MPI_Comm comm) {
  MPI_Alltoall(buffer, -1, MPI_INT, buffer + 32, -1, MPI_INT, comm);
}

void call_with_no_type(MPI_Comm comm) {
  MPI_Allgather(buffer, 1, MPI_DATATYPE_NULL, buffer + 32, 1, MPI_DATATYPE_NULL, comm);
}

void call_on_nothing(MPI_Comm /*comm*/) {
  MPI_Alltoall(buffer, 1, MPI_INT, buffer + 32, 1, MPI_INT, MPI_COMM_NULL);
}

#ifdef MPICH_VERSION

/// MPICH knows its types by numbers, and this is none: whoever asks it for anything is told so.
void call_with_unknown_type(MPI_Comm comm) {
  MPI_Alltoall(buffer, 1, 0x12345678, buffer + 32, 1, 0x12345678, comm);
}

#else

void call_with_unknown_type(MPI_Comm comm) { call_with_no_type(comm); }

#endif

using WrongCall = void (*)(MPI_Comm);
constexpr WrongCall kWrongCalls[] = {call_with_wrong_count, call_with_no_type,
                                     call_with_unknown_type, call_on_nothing};

/// Each wrong call is left by `leave`, on one rank: on a communicator of its own that is new, and
/// on one that has been used. The handler of MPI_COMM_WORLD hears of what belongs to no
/// communicator.
template <class Leave>
void leave_wrong_calls(Leave leave) {
  with_handler(MPI_COMM_WORLD);
  MPI_Comm fresh = with_handler(duplicate(MPI_COMM_SELF));
  MPI_Comm used = with_handler(duplicate(MPI_COMM_SELF));
  exchange_often(used);
  for (const WrongCall call : kWrongCalls) {
    if (world_rank() == 0) {
      leave(call, fresh);
      leave(call, used);
    }
    exchange(fresh);
    exchange(used);
    exchange_often(MPI_COMM_WORLD);
  }
  MPI_Comm_free(&fresh);
  MPI_Comm_free(&used);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/// On rank 0 all of the wrong calls were left, twice.
void expect_left(int calls) {
  if (world_rank() == 0 && calls != 2 * static_cast<int>(std::size(kWrongCalls))) ++wrong;
}

void jump() {
  static volatile int jumps = 0;
  jumps = 0;
  on_error = [] { std::longjmp(back, 1); };
  leave_wrong_calls([](WrongCall call, MPI_Comm comm) {
    if (setjmp(back) == 0) {
      call(comm);
    } else {
      jumps = jumps + 1;
    }
  });
  expect_left(jumps);
}

void throw_from_handler() {
  int thrown = 0;
  on_error = [] { throw 7; };
  leave_wrong_calls([&](WrongCall call, MPI_Comm comm) {
    try {
      call(comm);
    } catch (const int seven) {
      if (seven == 7) ++thrown;
    }
  });
  expect_left(thrown);
}

/// What the handler of one rank does all do: it is a call like any other.
void exchange_in_handler() {
  on_error = [] { exchange_often(MPI_COMM_WORLD); };
  MPI_Comm self = with_handler(duplicate(MPI_COMM_SELF));
  for (const WrongCall call : {call_with_wrong_count, call_with_no_type}) {
    if (world_rank() == 0) {
      call(self);
    } else {
      exchange_often(MPI_COMM_WORLD);
    }
  }
  MPI_Comm_free(&self);
}

void in_a_thread(void* (*body)(void*), const std::function<void(pthread_t)>& meanwhile = {}) {
  pthread_t thread;
  pthread_create(&thread, nullptr, body, nullptr);
  if (meanwhile) meanwhile(thread);
  pthread_join(thread, nullptr);
}

void end_thread_in_handler() {
  static MPI_Comm self = with_handler(duplicate(MPI_COMM_SELF));
  on_error = [] { pthread_exit(nullptr); };
  if (world_rank() == 0) {
    in_a_thread([](void*) -> void* {
      call_with_wrong_count(self);
      ++wrong;
      return nullptr;
    });
  }
  exchange(self);
  exchange_often(MPI_COMM_WORLD);
  MPI_Comm_free(&self);
}

/// The request to end comes while the thread waits for the other ranks in a call, which it ends
/// first.
void cancel_in_call() {
  static MPI_Comm waiting = duplicate(MPI_COMM_WORLD);
  exchange_often(waiting);
  const auto cancel = [](pthread_t thread) {
    usleep(10000);
    pthread_cancel(thread);
    MPI_Barrier(MPI_COMM_WORLD);
  };
  if (world_rank() == 0) {
    in_a_thread(
        [](void*) -> void* {
          exchange(waiting, 5000);
          return nullptr;
        },
        cancel);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    exchange(waiting, 5000);
  }
  exchange_often(waiting);
  exchange_often(MPI_COMM_WORLD);
  MPI_Comm_free(&waiting);
}

// Processes with limits, signals, and children.

/// The limit is set on one rank only.
void short_files() {
  if (world_rank() == 0) {
    const rlimit limit{1 << 16, 1 << 16};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  exchange_often(MPI_COMM_WORLD);
  exchange(MPI_COMM_WORLD, 100000);
}

std::atomic<long> signals{0};

/// Without SA_RESTART, system calls end with EINTR.
void signals_often() {
  struct sigaction action {};
  action.sa_handler = [](int) { ++signals; };
  sigaction(SIGALRM, &action, nullptr);
  const itimerval each_millisecond{{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &each_millisecond, nullptr);
  while (signals < 1) pause();
  for (int k = 0; k < 5; ++k) {
    MPI_Comm fresh = duplicate(MPI_COMM_WORLD);
    exchange_often(fresh);
    exchange(fresh, 100000);
    MPI_Comm_free(&fresh);
  }
  const itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
}

void expect_child(pid_t child) {
  int status = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) ++wrong;
}

/// Children that start another program, or end at once, and leave MPI alone.
void children() {
  for (int k = 0; k < 3; ++k) {
    exchange_often(MPI_COMM_WORLD);
    if (std::system("true") != 0) ++wrong;
    const pid_t started = fork();
    if (started == 0) {
      execlp("true", "true", static_cast<char*>(nullptr));
      _exit(1);
    }
    expect_child(started);
    const pid_t ended = fork();
    if (ended == 0) _exit(0);
    expect_child(ended);
    exchange(MPI_COMM_WORLD, 100000);
  }
}

// Processes of several worlds.

const char* own_name = "";

/// Both groups exchange with each other and together.
void exchange_with(MPI_Comm others, bool high) {
  MPI_Comm all = MPI_COMM_NULL;
  int sent[64] = {};
  int received[64] = {};
  MPI_Alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, others);
  MPI_Intercomm_merge(others, high ? 1 : 0, &all);
  exchange_often(all);
  exchange(all, 50000);
  MPI_Comm_free(&all);
}

void spawn() {
  MPI_Comm parent = MPI_COMM_NULL;
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) {
    // Without the library that is preloaded, as Open MPI 5.0 starts it anyway.
    char program[] = "env";
    char option[] = "-u";
    char variable[] = "LD_PRELOAD";
    char level[] = "single";
    char name[] = "spawn";
    std::string own(own_name);
    char* arguments[] = {option, variable, own.data(), level, name, nullptr};
    MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &parent,
                   MPI_ERRCODES_IGNORE);
    exchange_with(parent, false);
  } else {
    exchange_with(parent, true);
  }
  exchange_often(MPI_COMM_WORLD);
  MPI_Comm_disconnect(&parent);
}

/// The halves of the world meet as if they were strangers.
void connect() {
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm others = MPI_COMM_NULL;
  const bool accepts = world_rank() % 2 == 0;
  MPI_Comm_split(MPI_COMM_WORLD, accepts ? 0 : 1, 0, &half);
  if (world_rank() == 0) MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (accepts) {
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &others);
  } else {
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &others);
  }
  exchange_with(others, !accepts);
  exchange_often(half);
  MPI_Comm_disconnect(&others);
  MPI_Comm_free(&half);
  if (world_rank() == 0) MPI_Close_port(port);
}

/// All of it without MPI_Init, where MPI has sessions.
int run_session() {
#if MPI_VERSION >= 4
  MPI_Session session = MPI_SESSION_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "odd", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Group_free(&group);
  exchange_often(comm);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
#endif
  return wrong == 0 ? 0 : 1;
}

const std::map<std::string, void (*)()> kCases = {{"hook_before", hook_before},
                                                  {"hook_after", hook_after},
                                                  {"hook_alone", hang_on_self},
                                                  {"hook_uneven", hook_uneven},
                                                  {"jump", jump},
                                                  {"throw", throw_from_handler},
                                                  {"exchange_in_handler", exchange_in_handler},
                                                  {"end_thread_in_handler", end_thread_in_handler},
                                                  {"cancel_in_call", cancel_in_call},
                                                  {"short_files", short_files},
                                                  {"signals_often", signals_often},
                                                  {"children", children},
                                                  {"spawn", spawn},
                                                  {"connect", connect}};

}  // namespace

/// odd_program LEVEL CASE...: all of them in turn, with that level of threads.
int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments, arguments + count);
  if (count < 3) return 1;
  if (words[2] == "session") return run_session();
  own_name = arguments[0];
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr,
                  words[1] == "multiple" ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  for (std::size_t k = 2; k < words.size(); ++k) kCases.at(words[k])();
  MPI_Finalize();
  // What goes wrong in MPI_Finalize counts too.
  return wrong == 0 ? 0 : 1;
}
