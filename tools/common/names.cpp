#include "tools/common/names.hpp"

#include <algorithm>
#include <string_view>

#include "algorithms/broadcast_registry.hpp"
#include "algorithms/registry.hpp"
#include "shunt/options.hpp"

namespace shunt {

void expect_algorithm(const std::string& name) {
  if (name == kAuto || name == kNative) return;
  const std::string_view family = std::string_view(name).substr(0, name.find(':'));
  const auto entries = algorithm_registry();
  const bool known = std::ranges::find(entries, family, &AlgorithmEntry::name) != entries.end();
  if (!known) (void)make_algorithm(name, 1, 1);
}

void expect_broadcast(const std::string& name) {
  if (name == kAuto || name == kNative || is_broadcast(name)) return;
  (void)make_broadcast(name, Sources({0}));
}

}  // namespace shunt
