// A value of Shunt's that is attached to an MPI object and freed with it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <mpi.h>

#include "mpi_calls/at_finalize.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "mpi_calls/simulated.hpp"

namespace shunt {

/// MPI's calls for the attributes of communicators.
struct OnCommunicator {
  using Handle = MPI_Comm;

  static int create_key(MPI_Comm_delete_attr_function* on_delete) {
    int key = MPI_KEYVAL_INVALID;
    check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, nullptr),
              "MPI_Comm_create_keyval");
    return key;
  }

  static void* get(MPI_Comm comm, int key) {
    void* value = nullptr;
    int found = 0;
    check_mpi(MPI_Comm_get_attr(comm, key, &value, &found), "MPI_Comm_get_attr");
    return found != 0 ? value : nullptr;
  }

  static void set(MPI_Comm comm, int key, void* value) {
    check_mpi(MPI_Comm_set_attr(comm, key, value), "MPI_Comm_set_attr");
  }

  /// Deletes the attribute of MPI_COMM_WORLD, which MPI never frees, and the key.
  static void give_back(int key) {
    void* value = nullptr;
    int found = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &found);
    if (found != 0) MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    MPI_Comm_free_keyval(&key);
  }
};

/// MPI's calls for the attributes of datatypes.
struct OnDatatype {
  using Handle = MPI_Datatype;

  static int create_key(MPI_Type_delete_attr_function* on_delete) {
    int key = MPI_KEYVAL_INVALID;
    check_mpi(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, on_delete, &key, nullptr),
              "MPI_Type_create_keyval");
    return key;
  }

  static void* get(MPI_Datatype type, int key) {
    void* value = nullptr;
    int found = 0;
    check_mpi(MPI_Type_get_attr(type, key, &value, &found), "MPI_Type_get_attr");
    return found != 0 ? value : nullptr;
  }

  static void set(MPI_Datatype type, int key, void* value) {
    check_mpi(MPI_Type_set_attr(type, key, value), "MPI_Type_set_attr");
  }

  static void give_back(int key) { MPI_Type_free_keyval(&key); }
};

/// The attribute of type `Value`: one for each object of the kind `Kind`, none on its duplicates.
template <class Kind, class Value>
class Attribute {
 public:
  using Handle = typename Kind::Handle;

  /// Returns the value attached to `object`, or null. Throws Error(communicator) once MPI_Finalize
  /// has deleted all of them.
  [[nodiscard]] static Value* find(Handle object) {
    if (Value* again = find_again(object)) return again;
    const std::uint64_t gone = gone_.load(std::memory_order_relaxed);
    auto* found = static_cast<Value*>(Kind::get(object, key()));
    // The ranks that SMPI simulates share a thread.
    if (!kSimulated && found != nullptr) lately_.keep({object, found}, gone);
    return found;
  }

  /// Looks `object` up among the three objects whose values this thread found last, without calling
  /// MPI. Returns null if it is not one of them, or if any value of this type was deleted since. A
  /// value tells that MPI is running.
  [[nodiscard]] static Value* find_again(Handle object) noexcept {
    if (lately_.gone != gone_.load(std::memory_order_relaxed)) return nullptr;
    for (const Found& found : lately_.all) {
      if (found.object == object) return found.value;
    }
    return nullptr;
  }

  /// Attaches `value` to `object`, which has none. The value is deleted when MPI frees the object.
  static Value& attach(Handle object, std::unique_ptr<Value> value) {
    Kind::set(object, key(), value.get());
    return *value.release();
  }

 private:
  struct Found {
    Handle object;
    Value* value = nullptr;
  };

  /// The values that a thread found last, as long as `gone` of all had been deleted: those of all
  /// ranks, their rows and their columns, in one cache line.
  struct alignas(64) Lately {
    std::array<Found, 3> all;
    std::uint64_t gone = 0;
    std::size_t next = 0;

    void keep(const Found& found, std::uint64_t gone_now) {
      if (gone != gone_now) *this = {{}, gone_now, 0};
      all[next] = found;
      next = (next + 1) % all.size();
    }
  };

  static int key() {
    expect_not_given_back();
    static int created = [] {
      const int made = Kind::create_key(delete_value);
      at_finalize([made] {
        Kind::give_back(made);
        forget();
      });
      return made;
    }();
    return created;
  }

  static int delete_value(Handle /*object*/, int /*key*/, void* value, void* /*extra*/) {
    forget();
    delete static_cast<Value*>(value);
    return MPI_SUCCESS;
  }

  /// Has all threads forget what they found: MPI may give the handle of a freed object to a new
  /// one. A thread that uses the new one has synchronised with the thread that freed the first, so
  /// no memory order is needed.
  static void forget() { gone_.fetch_add(1, std::memory_order_relaxed); }

  static constinit thread_local inline Lately lately_{};
  static constinit inline std::atomic<std::uint64_t> gone_{0};
};

}  // namespace shunt
