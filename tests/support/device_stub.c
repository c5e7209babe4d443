/*
 * In the place of a library for devices: CUDA's, HIP's or Level Zero's, as the macro names. It has
 * memory that nobody can touch but who opens it.
 */
#define _DEFAULT_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { BYTES = 1 << 20 };

static char* memory;
static size_t used;
static long queries;

/* The first time all of the memory, so that it can be opened at once. */
void* device_allocate(size_t bytes) {
  char* place;
  if (!memory) {
    memory = mmap(NULL, BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
  }
  bytes = (bytes + 255) / 256 * 256;
  if (used + bytes > BYTES) return NULL;
  place = memory + used;
  used += bytes;
  return place;
}

/* Whether processors can touch the memory. */
void device_open(int open) {
  if (memory) mprotect(memory, BYTES, open ? PROT_READ | PROT_WRITE : PROT_NONE);
}

long device_queries(void) { return queries; }

static int is_on_device(const void* address) {
  const uintptr_t place = (uintptr_t)address, begin = (uintptr_t)memory;
  ++queries;
  return memory && place >= begin && place < begin + BYTES;
}

#if defined(CUDA)

int cuPointerGetAttribute(void* value, int attribute, unsigned long long address) {
  const int kMemoryType = 2, kInvalid = 1;
  if (attribute != kMemoryType || !is_on_device((const void*)(uintptr_t)address)) return kInvalid;
  *(unsigned*)value = 2;
  return 0;
}

#elif defined(HIP)

/* As in ROCm 6, which knows host memory too, as unregistered. */
int hipPointerGetAttributes(void* attributes, const void* address) {
  struct {
    int type, device;
    const void *device_pointer, *host_pointer;
  } found = {0, 0, NULL, NULL};
  if (is_on_device(address)) {
    found.type = 2;
    found.device_pointer = address;
  }
  __builtin_memcpy(attributes, &found, sizeof found);
  return 0;
}

#elif defined(LEVEL_ZERO)

static int is_begun(void) { return getenv("DEVICE_STUB_IDLE") == NULL; }

/* Host memory is of unknown type. Like Intel's loader it fails until the program uses it. */
int zeMemGetAllocProperties(void* context, const void* address, void* properties, void** device) {
  struct {
    int structure;
    void* next;
    int type;
  }* found = properties;
  const int kInvalid = 0x78000004;
  (void)device;
  if (!context) abort();
  if (found->structure != 0x17) return kInvalid;
  found->type = is_on_device(address) ? 2 : 0;
  return 0;
}

int zeDriverGet(uint32_t* count, void** drivers) {
  const int kUninitialized = 0x78000001;
  if (!is_begun()) return kUninitialized;
  *count = 1;
  *drivers = &memory;
  return 0;
}

int zeContextCreate(void* driver, const void* description, void** context) {
  (void)description;
  *context = driver;
  return 0;
}

#endif
