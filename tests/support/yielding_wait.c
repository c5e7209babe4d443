// A preload for MPICH over UCX, which waits by polling and never gives up the processor: with more
// ranks than cores a rank then spins through whole time slices while the one it waits for cannot
// run. This gives way after every poll that found nothing to do.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>

typedef unsigned (*Progress)(void* worker);

unsigned ucp_worker_progress(void* worker) {
  static Progress progress;
  if (!progress) {
    // The assignment through void** is POSIX's own way to store an object pointer in a function's.
    *(void**)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
    if (!progress) abort();
  }
  const unsigned events = progress(worker);
  if (events == 0) sched_yield();
  return events;
}
