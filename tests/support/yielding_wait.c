// A preload for MPICH over UCX, which waits by polling and never gives up the processor: with more
// ranks than cores a rank then spins through whole time slices while the one it waits for cannot
// run. This gives way after every poll that found nothing to do. MPICH polls with its lock held
// where threads share it, and they would wait for a lock that is never free when it is their turn;
// so this gives way when the thread has let go of all its locks.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>

typedef int (*OnMutex)(pthread_mutex_t* mutex);
typedef unsigned (*Progress)(void* worker);

static _Thread_local int held;  // mutexes, by this thread
static _Thread_local bool idle;

// The definition behind this one. Those that programs load for themselves alone, as Python does
// with MPICH, are in no scope of ours: there they are looked for in `library`.
static void* next_definition(const char* name, const char* library) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found) return found;
  void* loaded = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
  found = loaded ? dlsym(loaded, name) : NULL;
  if (!found) abort();
  return found;
}

// The assignment through void** is POSIX's own way to store an object pointer in a function's. Each
// thread that comes first finds the same.
#define FIND(function, name, library) \
  if (!function) *(void**)&function = next_definition(name, library)

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  static OnMutex lock;
  FIND(lock, "pthread_mutex_lock", "libc.so.6");
  const int error = lock(mutex);
  if (!error) ++held;
  return error;
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  static OnMutex lock;
  FIND(lock, "pthread_mutex_trylock", "libc.so.6");
  const int error = lock(mutex);
  if (!error) ++held;
  return error;
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  static OnMutex unlock;
  FIND(unlock, "pthread_mutex_unlock", "libc.so.6");
  const int error = unlock(mutex);
  // Not all ways to lock are counted here.
  if (!error && held > 0) --held;
  if (held == 0 && idle) {
    idle = false;
    sched_yield();
  }
  return error;
}

unsigned ucp_worker_progress(void* worker) {
  static Progress progress;
  FIND(progress, "ucp_worker_progress", "libucp.so.0");
  const unsigned events = progress(worker);
  idle = events == 0 && held > 0;
  if (events == 0 && held == 0) sched_yield();
  return events;
}
