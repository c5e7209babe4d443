// Buffers that are memory of a device are refused in a sentence, and never touched.
#include "context/device_memory.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "mpi/c_failure.hpp"
#include "mpi/own_communicator.hpp"
#include "shunt/shunt.h"
#include "shunt/shunt.hpp"
#include "support/expect_error.hpp"
#include "support/variable.hpp"

namespace shunt::test {
namespace {

/// A library for devices, loaded for nobody but who asks it, as CUDA's runtime loads the driver's.
class Stub {
 public:
  explicit Stub(const std::string& kind) {
    const std::string file = std::string(SHUNT_DEVICE_STUBS) + "/libdevice_stub_" + kind + ".so";
    library_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(library_, nullptr) << dlerror();
  }
  ~Stub() { dlclose(library_); }
  Stub(const Stub&) = delete;
  Stub& operator=(const Stub&) = delete;

  [[nodiscard]] std::span<int> allocate(std::size_t count) const {
    auto* const function =
        reinterpret_cast<void* (*)(std::size_t)>(dlsym(library_, "device_allocate"));
    return {static_cast<int*>(function(count * sizeof(int))), count};
  }

 private:
  void* library_;
};

/// Both buffers of a call are found again, wherever they lie.
TEST(HostAddresses, HaveRoomForBothBuffersOfACall) {
  HostAddresses addresses;
  const auto at = [](std::uintptr_t number) { return reinterpret_cast<const void*>(number); };
  constexpr std::uintptr_t kSamePlace = std::uintptr_t{1} << 24;
  for (const std::uintptr_t buffer : {kSamePlace, 2 * kSamePlace}) {
    EXPECT_FALSE(addresses.has(at(buffer)));
    addresses.add(at(buffer));
  }
  for (const std::uintptr_t buffer : {kSamePlace, 2 * kSamePlace}) {
    EXPECT_TRUE(addresses.has(at(buffer)));
  }
  EXPECT_FALSE(addresses.has(at(3 * kSamePlace)));
}

/// As hwloc and others load Level Zero's on machines without devices.
TEST(DeviceMemory, IsNotLookedForInALibraryThatNobodyUses) {
  if (has_devices()) GTEST_SKIP() << "there are libraries for devices already";
  const std::vector<int> host(1);
  const Variable idle("DEVICE_STUB_IDLE", "1");
  const Stub stub("level_zero");
  EXPECT_FALSE(has_devices());
  EXPECT_FALSE(is_device_memory(host.data()));
}

TEST(DeviceMemory, IsSeenAsSoonAsALibraryIsLoadedAndNoLonger) {
  if (has_devices()) GTEST_SKIP() << "there are libraries for devices already";
  std::vector<int> host(100);
  EXPECT_FALSE(is_device_memory(nullptr));
  // The real one may be there, loaded by what looks for devices; then it is asked.
  const bool has_loader = dlopen("libze_loader.so.1", RTLD_LAZY | RTLD_NOLOAD) != nullptr;
  std::vector<std::string> kinds{"cuda", "hip"};
  if (!has_loader) kinds.emplace_back("level_zero");
  for (const std::string& kind : kinds) {
    for (int call = 0; call < 10'000; ++call) ASSERT_FALSE(is_device_memory(host.data()));
    {
      const Stub stub(kind);
      const std::span<int> device = stub.allocate(100);
      EXPECT_TRUE(has_devices()) << kind;
      EXPECT_TRUE(is_device_memory(device.data())) << kind;
      EXPECT_TRUE(is_device_memory(&device.back())) << kind;
      EXPECT_FALSE(is_device_memory(&kind)) << kind;
    }
    EXPECT_FALSE(has_devices()) << kind;
  }
}

/// Calls on a communicator of this rank alone, which is not asked what lies on the device.
class RefusedDeviceMemory : public testing::Test {
 protected:
  RefusedDeviceMemory() { MPI_Comm_set_errhandler(own_.get(), MPI_ERRORS_RETURN); }

  static void expect_refused(const std::string& what, const std::function<void()>& call) {
    expect_error(ErrorKind::buffer, what, call);
    expect_error(ErrorKind::buffer, "is memory of a device (CUDA); Shunt moves memory of the host",
                 call);
  }

  static void expect_refused(const std::string& what, int code) {
    expect_failure(code, MPI_ERR_BUFFER, what);
    expect_failure(code, MPI_ERR_BUFFER,
                   "is memory of a device (CUDA); Shunt moves memory of the host");
  }

  const Stub stub_{"cuda"};
  const OwnCommunicator own_ = OwnCommunicator::duplicate(MPI_COMM_SELF);
  Communicator communicator_{own_.get()};
  std::vector<int> host_ = std::vector<int>(8);
  const std::span<int> device_ = stub_.allocate(8);
  const Layout all_ = Layout::of(std::vector<int>{8}, std::vector<int>{0});
};

TEST_F(RefusedDeviceMemory, OfExchanges) {
  const std::span<const int> host = host_;
  const std::span<const int> device = device_;
  const std::span<int> result = host_;
  expect_refused("the send buffer", [&] { communicator_.alltoallv(device, all_, result, all_); });
  expect_refused("the receive buffer", [&] { communicator_.alltoallv(host, all_, device_, all_); });
  expect_refused("the send buffer", [&] {
    communicator_.alltoallv(device_.data(), all_, MPI_INT, host_.data(), all_, MPI_INT);
  });
  expect_refused("the receive buffer", [&] {
    (void)communicator_.plan_alltoallv(host_.data(), all_, MPI_INT, device_.data(), all_, MPI_INT);
  });
  expect_refused("the send buffer",
                 [&] { (void)communicator_.plan_alltoallv(device, all_, result, all_); });
}

TEST_F(RefusedDeviceMemory, OfAllgathersRecordsAndRedistributions) {
  const std::span<const int> host = host_;
  const std::span<const int> device = device_;
  const ArrayLayout whole{{{8, 8}}};
  expect_refused("the send buffer",
                 [&] { communicator_.allgatherv(device, std::span<int>(host_), all_); });
  expect_refused("the receive buffer", [&] { communicator_.allgatherv(host, device_, all_); });
  expect_refused("the send buffer", [&] { (void)communicator_.allgather_from(device); });
  expect_refused("the send buffer",
                 [&] { (void)communicator_.exchange(device, [](int) { return 0; }); });
  expect_refused("the array to redistribute at", [&] {
    communicator_.redistribute<int>({whole, device}, {whole, std::span<int>(host_)});
  });
  expect_refused("the array to redistribute to at", [&] {
    communicator_.redistribute<int>({whole, host}, {whole, device_});
  });
}

TEST_F(RefusedDeviceMemory, OfCallsInC) {
  const int count = 8;
  const int place = 0;
  const auto exchange = [&](const void* from, void* to) {
    return SHUNT_Alltoallv(from, &count, &place, MPI_INT, to, &count, &place, MPI_INT, own_.get());
  };
  std::vector<int> result(8);
  // The first call sets the communicator up, the next ones are shorter.
  for (int call = 0; call < 2; ++call) {
    expect_refused("the send buffer", exchange(device_.data(), result.data()));
    expect_refused("the receive buffer", exchange(host_.data(), device_.data()));
    EXPECT_EQ(exchange(host_.data(), result.data()), MPI_SUCCESS);
  }
  expect_refused("the receive buffer", exchange(MPI_IN_PLACE, device_.data()));
  expect_refused("the send buffer", SHUNT_Allgather(device_.data(), 8, MPI_INT, result.data(), 8,
                                                    MPI_INT, own_.get()));
  SHUNT_Request request = SHUNT_REQUEST_NULL;
  expect_refused("the send buffer",
                 SHUNT_Alltoall_init(device_.data(), 8, MPI_INT, result.data(), 8, MPI_INT,
                                     own_.get(), MPI_INFO_NULL, &request));
}

TEST_F(RefusedDeviceMemory, OfAbsoluteAddresses) {
  MPI_Aint address = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int length = 8;
  MPI_Get_address(device_.data(), &address);
  MPI_Type_create_hindexed(1, &length, &address, MPI_INT, &type);
  MPI_Type_commit(&type);
  expect_refused("the send buffer",
                 SHUNT_Alltoall(MPI_BOTTOM, 1, type, host_.data(), 8, MPI_INT, own_.get()));
  MPI_Type_free(&type);
}

}  // namespace
}  // namespace shunt::test
