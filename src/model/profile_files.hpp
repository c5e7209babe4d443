// Where profiles lie, and which of them is for a machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/profile.hpp"

namespace shunt {

/// Where the profile of `site` is kept: a file of its own in the folder `profiles` of the user's
/// (user_directory), so that several MPI libraries and layouts have theirs side by side. Nothing
/// where the user has no folder.
[[nodiscard]] std::optional<std::filesystem::path> profile_path(const Site& site);

/// A profile for a site, and what became of others.
struct FoundProfile {
  Profile profile;                   ///< typical if there was none
  std::string path;                  ///< empty if it is
  std::vector<std::string> refused;  ///< sentences about files that could not be taken
};

/// The profile that SHUNT_PROFILE names; or, where it is not set, the one in the user's folder that
/// is measured in the layout that is nearest to this one. Never throws for a bad file: that is
/// refused.
[[nodiscard]] FoundProfile find_profile(const Site& site);

}  // namespace shunt
