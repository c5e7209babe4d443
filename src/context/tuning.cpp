#include "context/tuning.hpp"

#include <mutex>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "model/or_nothing.hpp"
#include "model/profile_files.hpp"
#include "model/say.hpp"
#include "mpi_calls/simulated.hpp"

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
  return or_nothing([&] {
    const FoundProfile found = find_profile(site);
    for (const std::string& sentence : found.refused) say_once(sentence);
    return to_json(found.profile).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  });
}

}  // namespace

Profile Tuning::agree_on_profile() const {
  const Site site = topology_.site();
  if constexpr (kSimulated) return typical_profile(site);
  const std::string text =
      progress_.broadcast_text(set_.rank() == 0 ? own_profile(site) : std::string());
  // Which host and which MPI that is, only rank 0 knows; the costs are alike on all ranks.
  if (text.empty()) return typical_profile(site);
  return profile_from(nlohmann::json::parse(text), "the profile of rank 0");
}

std::shared_ptr<const Profile> Tuning::profile() {
  if (profile_ == nullptr) profile_ = std::make_shared<const Profile>(agree_on_profile());
  return profile_;
}

}  // namespace shunt
