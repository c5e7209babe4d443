// The platform of a machine file, which SimGrid loads as a library.
#include <cstdlib>
#include <string>
#include <vector>

#include <simgrid/s4u.hpp>

#include "lab/bench/simulation_job.hpp"
#include "lab/simulation/machine_file.hpp"
#include "lab/smpi/zones.hpp"
#include "model/machine.hpp"

extern "C" void load_platform(const simgrid::s4u::Engine& engine);

namespace {

using shunt::NetworkTopology;
using shunt::SimulatedMachine;
namespace s4u = simgrid::s4u;
namespace zones = shunt::zones;
using zones::Coordinates;

/// Of any speed: computing is told to take so many seconds.
constexpr double kSpeed = 1e9;

class Platform {
 public:
  explicit Platform(const SimulatedMachine& machine) : machine_(machine) {}

  /// Links have no latency, which would give a share of them to each message by the length of its
  /// way: all of a message's fixed cost is its start-up.
  void build() const {
    switch (machine_.topology) {
      case NetworkTopology::flat:
        build_flat();
        return;
      case NetworkTopology::torus:
        // SimGrid's first coordinate varies fastest, and Shunt's last.
        zones::build_torus("machine",
                           Coordinates(machine_.extents.rbegin(), machine_.extents.rend()), nodes(),
                           {bandwidth()});
        return;
      case NetworkTopology::mesh:
        build_mesh();
        return;
      case NetworkTopology::fat_tree:
        build_fat_tree();
        return;
      case NetworkTopology::dragonfly:
        build_dragonfly();
        return;
    }
  }

 private:
  [[nodiscard]] double bandwidth() const { return 1 / machine_.per_byte; }

  s4u::Host* add_node(s4u::NetZone* zone, unsigned long node) const {
    return add_host(zone, std::to_string(node));
  }

  s4u::Host* add_host(s4u::NetZone* zone, const std::string& name) const {
    s4u::Host* host = zones::add_host(zone, name, kSpeed);
    host->set_core_count(machine_.ranks_per_node);
    return host->seal();
  }

  s4u::Link* add_memory(s4u::NetZone* zone, unsigned long node) const {
    s4u::Link* memory =
        zones::add_link(zone, "memory" + std::to_string(node), 1 / machine_.memory_per_byte);
    return memory->set_latency(0)->seal();
  }

  /// The nodes of SimGrid's own shapes.
  [[nodiscard]] zones::Nodes nodes() const {
    return {[this](s4u::NetZone* zone, const Coordinates&, unsigned long node) {
              return add_node(zone, node);
            },
            [this](s4u::NetZone* zone, const Coordinates&, unsigned long node) {
              return add_memory(zone, node);
            }};
  }

  void build_flat() const {
    s4u::NetZone* zone = zones::add_star("machine");
    for (unsigned long node = 0; node < static_cast<unsigned long>(machine_.nodes); ++node) {
      const s4u::Host* host = add_node(zone, node);
      auto* link = zones::add_cable(zone, "link" + std::to_string(node), bandwidth());
      link->set_latency(0)->seal();
      zones::add_route(zone, host, nullptr, {link, s4u::LinkInRoute::Direction::UP});
      zones::add_route(zone, host, host,
                       {add_memory(zone, node), s4u::LinkInRoute::Direction::NONE});
    }
    zone->seal();
  }

  /// SimGrid has no mesh, but one is a corner of a torus of nearly twice the extents: from none of
  /// its nodes to another is it shorter round the rim. So messages go along the dimensions in the
  /// same order as on a torus. The nodes outside of the corner are idle, and cost no time.
  void build_mesh() const {
    const shunt::Extents mesh(machine_.extents);
    std::vector<shunt::Rank> extents;
    for (const shunt::Rank extent : machine_.extents) extents.push_back(2 * extent - 1);
    const shunt::Extents torus(extents);
    const zones::Nodes places{[&](s4u::NetZone* zone, const Coordinates&, unsigned long place) {
                                const auto at = torus.coordinates(static_cast<shunt::Rank>(place));
                                return add_host(zone, name_on(mesh, at, place));
                              },
                              [this](s4u::NetZone* zone, const Coordinates&, unsigned long place) {
                                return add_memory(zone, place);
                              }};
    zones::build_torus("machine", Coordinates(extents.rbegin(), extents.rend()), places,
                       {bandwidth()});
  }

  /// The node there, or that there is none.
  static std::string name_on(const shunt::Extents& mesh, const std::vector<shunt::Rank>& place,
                             unsigned long number) {
    for (int k = 0; k < mesh.dimensions(); ++k) {
      if (place[static_cast<std::size_t>(k)] >= mesh.extent(k)) {
        return "idle" + std::to_string(number);
      }
    }
    return std::to_string(mesh.rank_at(place));
  }

  void build_fat_tree() const {
    zones::FatTree shape;
    for (const shunt::FatTreeLevel& level : machine_.levels) {
      shape.children.push_back(static_cast<unsigned>(level.children));
      shape.parents.push_back(static_cast<unsigned>(level.parents));
      shape.cables.push_back(static_cast<unsigned>(level.cables));
    }
    zones::build_fat_tree("machine", shape, nodes(), {bandwidth()});
  }

  void build_dragonfly() const {
    const auto level = [](const shunt::DragonflyLevel& of) {
      return std::pair{static_cast<unsigned>(of.members), static_cast<unsigned>(of.cables)};
    };
    const shunt::Dragonfly& shape = machine_.dragonfly;
    zones::build_dragonfly("machine",
                           {level(shape.groups), level(shape.chassis), level(shape.routers),
                            static_cast<unsigned>(shape.nodes)},
                           nodes(), {bandwidth()});
  }

  const SimulatedMachine& machine_;
};

}  // namespace

void load_platform(const s4u::Engine& /*engine*/) {
  const char* path = std::getenv(shunt::bench::kMachineVariable);
  const SimulatedMachine machine = shunt::read_machine_file(path == nullptr ? "" : path);
  Platform(machine).build();
}
