// What SimGrid 4 calls otherwise than SimGrid 3.32: the zones of a platform, and what is in them.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <simgrid/s4u.hpp>
#include <simgrid/version.h>

namespace shunt::zones {

namespace s4u = simgrid::s4u;
using Coordinates = std::vector<unsigned long>;

/// What there is at each place of a regular zone: a host, and the link to itself.
struct Nodes {
  std::function<s4u::Host*(s4u::NetZone*, const Coordinates&, unsigned long)> host;
  std::function<s4u::Link*(s4u::NetZone*, const Coordinates&, unsigned long)> loopback;
};

/// The links of a regular zone.
struct Cables {
  double bandwidth;
  double latency = 0;
  s4u::Link::SharingPolicy sharing = s4u::Link::SharingPolicy::SPLITDUPLEX;
};

/// The shape of a fat tree, by level from the hosts up.
struct FatTree {
  std::vector<unsigned> children;
  std::vector<unsigned> parents;
  std::vector<unsigned> cables;
};

/// How many there are of each, and how many cables lead from one to another.
struct Dragonfly {
  using Level = std::pair<unsigned, unsigned>;
  Level groups;
  Level chassis;
  Level routers;
  unsigned nodes;
};

#if SIMGRID_VERSION >= 40000

inline s4u::NetZone* root() { return s4u::Engine::get_instance()->get_netzone_root(); }

inline s4u::NetZone* add_star(const std::string& name) { return root()->add_netzone_star(name); }

inline void seal_with(s4u::NetZone* zone, const Nodes& nodes) {
  zone->set_host_cb(nodes.host);
  zone->set_loopback_cb(nodes.loopback);
  zone->seal();
}

inline void build_torus(const std::string& name, const Coordinates& extents, const Nodes& nodes,
                        const Cables& cables) {
  seal_with(
      root()->add_netzone_torus(name, extents, cables.bandwidth, cables.latency, cables.sharing),
      nodes);
}

inline void build_fat_tree(const std::string& name, const FatTree& shape, const Nodes& nodes,
                           const Cables& cables) {
  seal_with(root()->add_netzone_fatTree(name, static_cast<unsigned>(shape.children.size()),
                                        shape.children, shape.parents, shape.cables,
                                        cables.bandwidth, cables.latency, cables.sharing),
            nodes);
}

inline void build_dragonfly(const std::string& name, const Dragonfly& shape, const Nodes& nodes,
                            const Cables& cables) {
  seal_with(
      root()->add_netzone_dragonfly(name, shape.groups, shape.chassis, shape.routers, shape.nodes,
                                    cables.bandwidth, cables.latency, cables.sharing),
      nodes);
}

inline s4u::Host* add_host(s4u::NetZone* zone, const std::string& name, double speed) {
  return zone->add_host(name, speed);
}

inline s4u::Link* add_link(s4u::NetZone* zone, const std::string& name, double bandwidth) {
  return zone->add_link(name, bandwidth);
}

inline s4u::SplitDuplexLink* add_cable(s4u::NetZone* zone, const std::string& name,
                                       double bandwidth) {
  return zone->add_split_duplex_link(name, bandwidth);
}

/// Null: to all hosts of the zone.
inline void add_route(s4u::NetZone* zone, const s4u::Host* from, const s4u::Host* to,
                      const s4u::LinkInRoute& link) {
  zone->add_route(from, to, {link});
}

#else

inline s4u::ClusterCallbacks callbacks_of(const Nodes& nodes) {
  using NetPoint = simgrid::kernel::routing::NetPoint;
  return s4u::ClusterCallbacks(
      [host = nodes.host](s4u::NetZone* zone, const Coordinates& place, unsigned long number) {
        return std::pair<NetPoint*, NetPoint*>{host(zone, place, number)->get_netpoint(), nullptr};
      },
      nodes.loopback, {});
}

inline s4u::NetZone* add_star(const std::string& name) { return s4u::create_star_zone(name); }

inline void build_torus(const std::string& name, const Coordinates& extents, const Nodes& nodes,
                        const Cables& cables) {
  s4u::create_torus_zone(name, nullptr, extents, callbacks_of(nodes), cables.bandwidth,
                         cables.latency, cables.sharing)
      ->seal();
}

inline void build_fat_tree(const std::string& name, const FatTree& shape, const Nodes& nodes,
                           const Cables& cables) {
  const s4u::FatTreeParams parameters(static_cast<unsigned>(shape.children.size()), shape.children,
                                      shape.parents, shape.cables);
  s4u::create_fatTree_zone(name, nullptr, parameters, callbacks_of(nodes), cables.bandwidth,
                           cables.latency, cables.sharing)
      ->seal();
}

inline void build_dragonfly(const std::string& name, const Dragonfly& shape, const Nodes& nodes,
                            const Cables& cables) {
  const s4u::DragonflyParams parameters(shape.groups, shape.chassis, shape.routers, shape.nodes);
  s4u::create_dragonfly_zone(name, nullptr, parameters, callbacks_of(nodes), cables.bandwidth,
                             cables.latency, cables.sharing)
      ->seal();
}

inline s4u::Host* add_host(s4u::NetZone* zone, const std::string& name, double speed) {
  return zone->create_host(name, speed);
}

inline s4u::Link* add_link(s4u::NetZone* zone, const std::string& name, double bandwidth) {
  return zone->create_link(name, bandwidth);
}

inline s4u::SplitDuplexLink* add_cable(s4u::NetZone* zone, const std::string& name,
                                       double bandwidth) {
  return zone->create_split_duplex_link(name, bandwidth);
}

/// Null: to all hosts of the zone.
inline void add_route(s4u::NetZone* zone, const s4u::Host* from, const s4u::Host* to,
                      const s4u::LinkInRoute& link) {
  zone->add_route(from->get_netpoint(), to == nullptr ? nullptr : to->get_netpoint(), nullptr,
                  nullptr, {link});
}

#endif

}  // namespace shunt::zones
