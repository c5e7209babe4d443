#include "exchange/agreed_profile.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "exchange/mpi_call.hpp"
#include "exchange/simulated.hpp"
#include "model/host_kind.hpp"
#include "model/profile_files.hpp"
#include "model/say.hpp"

namespace shunt {

namespace {

void say_once(const std::string& sentence) {
  static std::mutex lock;
  static std::set<std::string> said;
  const std::lock_guard guard(lock);
  if (said.insert(sentence).second) say(sentence);
}

/// The profile that rank 0 finds, for all ranks; these wait for it, so nothing is thrown. Empty
/// where there is not even the memory for that.
std::string own_profile(const Site& site) noexcept {
  try {
    const FoundProfile found = find_profile(site);
    for (const std::string& sentence : found.refused) say_once(sentence);
    return to_json(found.profile).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace

Site site_of(Context& context) {
  const std::shared_ptr<const Machine> machine = context.machine();
  Site site;
  if (context.rank() == 0) {
    site.machine = host_kind();
    site.mpi = mpi_library();
  }
  site.ranks = machine->ranks();
  site.nodes = machine->nodes();
  site.largest_node = machine->size_of(machine->largest_node());
  site.rank_processors = std::max(1, context.node().processors());
  return site;
}

Profile agree_on_profile(Context& context) {
  const Site site = site_of(context);
  if constexpr (kSimulated) return typical_profile(site);
  const std::string text = context.text_of_first(context.rank() == 0 ? own_profile(site) : "");
  // Which host and which MPI that is, only rank 0 knows; the costs are alike on all ranks.
  if (text.empty()) return typical_profile(site);
  return profile_from(nlohmann::json::parse(text), "the profile of rank 0");
}

}  // namespace shunt
