// The platform of a machine file, which SimGrid loads as a library.
#include <cstdlib>
#include <string>
#include <vector>

#include <simgrid/s4u.hpp>

#include "model/machine.hpp"
#include "model/machine_file.hpp"
#include "simulation_job.hpp"

extern "C" void load_platform(const simgrid::s4u::Engine& engine);

namespace {

using shunt::SimulatedMachine;
using shunt::Topology;
namespace s4u = simgrid::s4u;
using NetPoint = simgrid::kernel::routing::NetPoint;
using Coordinates = std::vector<unsigned long>;

/// Of any speed: computing is told to take so many seconds.
constexpr double kSpeed = 1e9;

class Platform {
 public:
  explicit Platform(const SimulatedMachine& machine) : machine_(machine) {}

  /// Links have no latency, which would give a share of them to each message by the length of its
  /// way: all of a message's fixed cost is its start-up.
  void build() const {
    switch (machine_.topology) {
      case Topology::flat:
        build_flat();
        return;
      case Topology::torus:
        // SimGrid's first coordinate varies fastest, and Shunt's last.
        s4u::create_torus_zone("machine", nullptr,
                               Coordinates(machine_.extents.rbegin(), machine_.extents.rend()),
                               nodes(), bandwidth(), 0, kDuplex)
            ->seal();
        return;
      case Topology::mesh:
        build_mesh();
        return;
      case Topology::fat_tree:
        build_fat_tree();
        return;
      case Topology::dragonfly:
        build_dragonfly();
        return;
    }
  }

 private:
  static constexpr auto kDuplex = s4u::Link::SharingPolicy::SPLITDUPLEX;

  [[nodiscard]] double bandwidth() const { return 1 / machine_.per_byte; }

  s4u::Host* add_node(s4u::NetZone* zone, unsigned long node) const {
    return add_host(zone, std::to_string(node));
  }

  s4u::Host* add_host(s4u::NetZone* zone, const std::string& name) const {
    s4u::Host* host = zone->create_host(name, kSpeed);
    host->set_core_count(machine_.ranks_per_node);
    return host->seal();
  }

  s4u::Link* add_memory(s4u::NetZone* zone, unsigned long node) const {
    s4u::Link* memory =
        zone->create_link("memory" + std::to_string(node), 1 / machine_.memory_per_byte);
    return memory->set_latency(0)->seal();
  }

  /// The nodes of SimGrid's own shapes.
  [[nodiscard]] s4u::ClusterCallbacks nodes() const {
    return s4u::ClusterCallbacks(
        [this](s4u::NetZone* zone, const Coordinates&, unsigned long node) {
          return std::pair<NetPoint*, NetPoint*>{add_node(zone, node)->get_netpoint(), nullptr};
        },
        [this](s4u::NetZone* zone, const Coordinates&, unsigned long node) {
          return add_memory(zone, node);
        },
        {});
  }

  void build_flat() const {
    s4u::NetZone* zone = s4u::create_star_zone("machine");
    for (unsigned long node = 0; node < static_cast<unsigned long>(machine_.nodes); ++node) {
      NetPoint* point = add_node(zone, node)->get_netpoint();
      auto* link = zone->create_split_duplex_link("link" + std::to_string(node), bandwidth());
      link->set_latency(0)->seal();
      zone->add_route(point, nullptr, nullptr, nullptr, {{link, s4u::LinkInRoute::Direction::UP}});
      zone->add_route(point, point, nullptr, nullptr,
                      {{add_memory(zone, node), s4u::LinkInRoute::Direction::NONE}});
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
    s4u::ClusterCallbacks callbacks(
        [&](s4u::NetZone* zone, const Coordinates&, unsigned long place) {
          return std::pair<NetPoint*, NetPoint*>{
              add_host(zone,
                       name_on(mesh, torus.coordinates(static_cast<shunt::Rank>(place)), place))
                  ->get_netpoint(),
              nullptr};
        },
        [this](s4u::NetZone* zone, const Coordinates&, unsigned long place) {
          return add_memory(zone, place);
        },
        {});
    s4u::create_torus_zone("machine", nullptr, Coordinates(extents.rbegin(), extents.rend()),
                           callbacks, bandwidth(), 0, kDuplex)
        ->seal();
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
    std::vector<unsigned> children;
    std::vector<unsigned> parents;
    std::vector<unsigned> cables;
    for (const shunt::FatTreeLevel& level : machine_.levels) {
      children.push_back(static_cast<unsigned>(level.children));
      parents.push_back(static_cast<unsigned>(level.parents));
      cables.push_back(static_cast<unsigned>(level.cables));
    }
    const s4u::FatTreeParams shape(static_cast<unsigned>(children.size()), children, parents,
                                   cables);
    s4u::create_fatTree_zone("machine", nullptr, shape, nodes(), bandwidth(), 0, kDuplex)->seal();
  }

  void build_dragonfly() const {
    const auto level = [](const shunt::DragonflyLevel& of) {
      return std::pair{static_cast<unsigned>(of.members), static_cast<unsigned>(of.cables)};
    };
    const shunt::Dragonfly& shape = machine_.dragonfly;
    const s4u::DragonflyParams parameters(level(shape.groups), level(shape.chassis),
                                          level(shape.routers), static_cast<unsigned>(shape.nodes));
    s4u::create_dragonfly_zone("machine", nullptr, parameters, nodes(), bandwidth(), 0, kDuplex)
        ->seal();
  }

  const SimulatedMachine& machine_;
};

}  // namespace

void load_platform(const s4u::Engine& /*engine*/) {
  const char* path = std::getenv(shunt::bench::kMachineVariable);
  const SimulatedMachine machine = shunt::read_machine_file(path == nullptr ? "" : path);
  Platform(machine).build();
}
