#include "context/tuning.hpp"

#include "context/agreed_profile.hpp"

namespace shunt {

std::shared_ptr<const Profile> Tuning::profile() {
  if (profile_ == nullptr) {
    profile_ = std::make_shared<const Profile>(agree_on_profile(set_, topology_, progress_));
  }
  return profile_;
}

}  // namespace shunt
