#include "tools/common/names.hpp"

#include <string_view>

#include "algorithms/allgather_registry.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/registry.hpp"
#include "shunt/options.hpp"

namespace shunt {

void expect_algorithm(const std::string& name) {
  if (name == kAuto || name == kNative) return;
  std::string_view parameter = name;
  const auto entries = algorithm_registry();
  if (find_entry(entries, parameter) == entries.end()) (void)make_algorithm(name, 1, 1);
}

void expect_allgather(const std::string& name) {
  if (name == kAuto || name == kNative || is_allgather(name)) return;
  (void)make_allgather(name, Sources({0}));
}

}  // namespace shunt
