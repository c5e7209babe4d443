#include "tools/common/hardware.hpp"

#include <memory>
#include <vector>

#include <hwloc.h>
#include <sched.h>

#include "shunt/error.hpp"

namespace shunt {

namespace {

using HwlocTopology = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;

HwlocTopology load_topology() {
  hwloc_topology_t topology = nullptr;
  const bool made = hwloc_topology_init(&topology) == 0;
  HwlocTopology owner(made ? topology : nullptr, &hwloc_topology_destroy);
  if (!made || hwloc_topology_load(topology) != 0) {
    throw Error(ErrorKind::argument, "hwloc cannot find out what is inside this machine");
  }
  return owner;
}

/// The caches of one type, which are taken to be alike; null where there are none.
nlohmann::json describe_cache(hwloc_topology_t topology, hwloc_obj_type_t type) {
  const int count = hwloc_get_nbobjs_by_type(topology, type);
  if (count < 1) return nullptr;
  hwloc_obj_t first = hwloc_get_obj_by_type(topology, type, 0);
  char name[16] = "";
  hwloc_obj_type_snprintf(name, sizeof name, first, 0);
  return {{"name", name},
          {"bytes", first->attr->cache.size},
          {"count", count},
          {"processing_units", hwloc_bitmap_weight(first->cpuset)}};
}

/// Not by hwloc, which may have been given another machine to describe.
std::vector<int> usable_processors() {
  cpu_set_t mine;
  CPU_ZERO(&mine);
  std::vector<int> processors;
  if (::sched_getaffinity(0, sizeof mine, &mine) != 0) return processors;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (CPU_ISSET(processor, &mine)) processors.push_back(processor);
  }
  return processors;
}

/// What the processors call themselves; null where hwloc does not know.
nlohmann::json processor_model(hwloc_topology_t topology) {
  hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
  const char* model =
      package == nullptr ? nullptr : hwloc_obj_get_info_by_name(package, "CPUModel");
  if (model == nullptr) return nullptr;
  return model;
}

}  // namespace

nlohmann::json describe_hardware() {
  const HwlocTopology owner = load_topology();
  hwloc_topology_t topology = owner.get();
  auto count = [topology](hwloc_obj_type_t type) {
    return hwloc_get_nbobjs_by_type(topology, type);
  };
  nlohmann::json hardware = {{"model", processor_model(topology)},
                             {"packages", count(HWLOC_OBJ_PACKAGE)},
                             {"cores", count(HWLOC_OBJ_CORE)},
                             {"processing_units", count(HWLOC_OBJ_PU)},
                             {"numa_nodes", count(HWLOC_OBJ_NUMANODE)},
                             {"memory_bytes", hwloc_get_root_obj(topology)->total_memory},
                             {"caches", nlohmann::json::array()},
                             {"processors", usable_processors()}};
  for (const auto type : {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE,
                          HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE}) {
    nlohmann::json cache = describe_cache(topology, type);
    if (!cache.is_null()) hardware["caches"].push_back(std::move(cache));
  }
  return hardware;
}

}  // namespace shunt
