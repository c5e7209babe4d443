// Memory that the processes of a node share, from C.
#include <map>
#include <memory>
#include <mutex>

#include <fmt/format.h>

#include "bindings/agreed.hpp"
#include "bindings/c/report.hpp"
#include "context/context.hpp"
#include "shunt/error.hpp"
#include "shunt/shunt.h"
#include "transport/node_memory.hpp"

namespace shunt::c {

namespace {

/// What this process has and has not freed, by where it begins.
class Allocated {
 public:
  /// Never destroyed: a child of the process that ends by exit must not let go what it shares.
  static Allocated& all() {
    static Allocated& allocated = *std::make_unique<Allocated>().release();
    return allocated;
  }

  void* add(std::unique_ptr<NodeMemory> memory) {
    const std::lock_guard lock(mutex_);
    void* const base = memory->own().data();
    memory_[base] = std::move(memory);
    return base;
  }
  void free(void* base) {
    const std::lock_guard lock(mutex_);
    if (memory_.erase(base) == 0) {
      throw Error(ErrorKind::argument,
                  fmt::format("{} is not what SHUNT_Alloc_mem gave and nobody freed", base));
    }
  }

 private:
  std::mutex mutex_;
  std::map<const void*, std::unique_ptr<NodeMemory>> memory_;
};

void allocate(MPI_Aint size, MPI_Comm comm, void* baseptr) {
  const auto context = Context::of(comm);
  (void)agreed(*context, [&] {
    if (size < 0) {
      throw Error(ErrorKind::argument, fmt::format("size is {}; it is at least 0", size));
    }
    if (baseptr == nullptr) throw Error(ErrorKind::argument, "baseptr is null");
    return size;
  });
  *static_cast<void**>(baseptr) =
      Allocated::all().add(NodeMemory::create(context->comm(), context->node(), size));
}

}  // namespace

}  // namespace shunt::c

int SHUNT_Alloc_mem(MPI_Aint size, MPI_Comm comm, void* baseptr) {
  using namespace shunt::c;
  return guarded("SHUNT_Alloc_mem", {comm}, [&] { allocate(size, comm, baseptr); });
}

int SHUNT_Free_mem(void* base) {
  using namespace shunt::c;
  return guarded("SHUNT_Free_mem", {MPI_COMM_NULL}, [&] { Allocated::all().free(base); });
}
