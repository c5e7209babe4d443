/* churn SECONDS SEED: a program that leaves a library no rest. Each rank has two threads where MPI
 * allows that, each with a communicator of its own, on which it makes and frees communicators and
 * types and calls MPI's all-to-all and all-gather functions with them, every byte checked, while a
 * signal comes each millisecond. Says at the end what it did, and what grew meanwhile. */
#include <dirent.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

enum { kThreads = 2, kMostBlock = 3000 };

static volatile sig_atomic_t signals;

static void note_signal(int number) {
  (void)number;
  ++signals;
}

/* The same numbers on all ranks of a thread's communicator. */
struct Dice {
  uint64_t state;
};

static uint64_t roll(struct Dice* dice, uint64_t sides) {
  dice->state = dice->state * 6364136223846793005u + 1442695040888963407u;
  return (dice->state >> 33) % sides;
}

struct Work {
  MPI_Comm comm;
  uint64_t seed;
  double seconds;
  int64_t calls, wrong;
};

static unsigned char value_of(int from, int to, int k, int call) {
  return (unsigned char)(from * 31 + to * 7 + k + call);
}

/* Blocks of up to `most` elements; those of each pair have one length, which both know. */
static int block_of(int from, int to, uint64_t salt, int most) {
  struct Dice dice = {salt + (uint64_t)(from * 1009 + to)};
  roll(&dice, 2);
  return (int)roll(&dice, (uint64_t)most + 1);
}

static MPI_Datatype make_type(struct Dice* dice, int* bytes) {
  MPI_Datatype inner, type;
  const int pieces = 1 + (int)roll(dice, 3), length = 1 + (int)roll(dice, 4);
  *bytes = pieces * length;
  MPI_Type_vector(pieces, length, length + (int)roll(dice, 3), MPI_BYTE, &inner);
  MPI_Type_create_resized(inner, 0, 64, &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&inner);
  return type;
}

/* An MPI_Alltoallv of bytes to elements of a type with gaps. */
static int64_t exchange(MPI_Comm comm, struct Dice* dice, int call) {
  int rank, ranks, bytes, wrong = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  MPI_Datatype type = make_type(dice, &bytes);
  const int most = roll(dice, 20) == 0 ? kMostBlock : 1 + (int)roll(dice, 20);
  const uint64_t salt = roll(dice, 1u << 30);
  int* const numbers = malloc(4 * (size_t)ranks * sizeof(int));
  int *const out_counts = numbers, *const out_places = numbers + ranks;
  int *const in_counts = numbers + 2 * ranks, *const in_places = numbers + 3 * ranks;
  int out_end = 0, in_end = 0;
  for (int k = 0; k < ranks; ++k) {
    out_counts[k] = bytes * block_of(rank, k, salt, most);
    out_places[k] = out_end;
    out_end += out_counts[k];
    in_counts[k] = block_of(k, rank, salt, most);
    in_places[k] = in_end;
    in_end += in_counts[k];
  }
  unsigned char* const out = malloc((size_t)out_end + 1);
  unsigned char* const in = malloc(64 * (size_t)in_end + 64);
  unsigned char* const packed = malloc((size_t)(bytes * in_end) + 1);
  memset(in, 0xEE, 64 * (size_t)in_end + 64);
  for (int k = 0; k < ranks; ++k)
    for (int i = 0; i < out_counts[k]; ++i) out[out_places[k] + i] = value_of(rank, k, i, call);
  MPI_Alltoallv(out, out_counts, out_places, MPI_BYTE, in, in_counts, in_places, type, comm);
  int position = 0;
  if (in_end > 0) MPI_Pack(in, in_end, type, packed, bytes * in_end, &position, MPI_COMM_SELF);
  for (int k = 0, at = 0; k < ranks; ++k)
    for (int i = 0; i < bytes * in_counts[k]; ++i)
      wrong += packed[at++] != value_of(k, rank, i, call);
  free(numbers), free(out), free(in), free(packed);
  MPI_Type_free(&type);
  return wrong;
}

static int64_t gather(MPI_Comm comm, struct Dice* dice, int call) {
  int rank, ranks, wrong = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const int length = 1 + (int)roll(dice, 500);
  unsigned char* const out = malloc((size_t)length);
  unsigned char* const in = malloc((size_t)(length * ranks));
  for (int i = 0; i < length; ++i) out[i] = value_of(rank, 0, i, call);
  MPI_Allgather(out, length, MPI_BYTE, in, length, MPI_BYTE, comm);
  for (int k = 0; k < ranks; ++k)
    for (int i = 0; i < length; ++i) wrong += in[k * length + i] != value_of(k, 0, i, call);
  free(out), free(in);
  return wrong;
}

static void* work(void* argument) {
  struct Work* const mine = argument;
  struct Dice dice = {mine->seed};
  const double begin = MPI_Wtime();
  int go_on = 1;
  while (go_on) {
    MPI_Comm comm;
    int rank;
    MPI_Comm_rank(mine->comm, &rank);
    const int colours = 1 + (int)roll(&dice, 2);
    MPI_Comm_split(mine->comm, rank % colours, roll(&dice, 2) ? rank : -rank, &comm);
    const int calls = 1 << roll(&dice, 8);
    struct Dice own = {roll(&dice, 1u << 30)};
    for (int call = 0; call < calls; ++call, ++mine->calls) {
      mine->wrong += roll(&own, 2) ? exchange(comm, &own, call) : gather(comm, &own, call);
    }
    MPI_Comm_free(&comm);
    go_on = MPI_Wtime() - begin < mine->seconds;
    MPI_Bcast(&go_on, 1, MPI_INT, 0, mine->comm);
  }
  return NULL;
}

static long resident_kib(void) {
  long pages = 0, resident = 0;
  FILE* const file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
  if (file != NULL) fclose(file);
  return 4 * resident;
}

static int open_files(void) {
  int files = 0;
  DIR* const folder = opendir("/proc/self/fd");
  while (folder != NULL && readdir(folder) != NULL) ++files;
  if (folder != NULL) closedir(folder);
  return files;
}

/* One part of the time for the threads, which are new in each. */
static void make_round(struct Work* works, int threads, uint64_t seed, double seconds) {
  pthread_t others[kThreads];
  for (int k = 0; k < threads; ++k) {
    works[k].seed = seed + (uint64_t)k;
    works[k].seconds = seconds;
  }
  for (int k = 1; k < threads; ++k) pthread_create(&others[k], NULL, work, &works[k]);
  work(&works[0]);
  for (int k = 1; k < threads; ++k) pthread_join(others[k], NULL);
}

int main(int argc, char** argv) {
  int level, rank;
  struct Work works[kThreads] = {{0}};
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double seconds = argc > 1 ? atof(argv[1]) : 1;
  const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  const int threads = level == MPI_THREAD_MULTIPLE && seed % 2 == 0 ? kThreads : 1;
  struct sigaction action = {.sa_handler = note_signal};
  struct itimerval each = {{0, 1000}, {0, 1000}};
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &each, NULL);
  for (int k = 0; k < threads; ++k) MPI_Comm_dup(MPI_COMM_WORLD, &works[k].comm);
  make_round(works, threads, seed, seconds / 4);
  const long memory = resident_kib();
  const int files = open_files();
  make_round(works, threads, seed + 100, 3 * seconds / 4);
  int64_t sums[2] = {0, 0};
  for (int k = 0; k < threads; ++k) {
    sums[0] += works[k].calls;
    sums[1] += works[k].wrong;
    MPI_Comm_free(&works[k].comm);
  }
  printf("rank %d: %d threads, %lld calls, %lld wrong bytes, %ld KiB and %d files more, %s\n", rank,
         threads, (long long)sums[0], (long long)sums[1], resident_kib() - memory,
         open_files() - files, signals > 0 ? "signals" : "no signals");
  MPI_Finalize();
  return sums[1] != 0;
}
