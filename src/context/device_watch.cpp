#include "context/device_watch.hpp"

#include <algorithm>

#include "context/device_memory.hpp"
#include "context/progress.hpp"

namespace shunt {

bool DeviceWatch::any_says(const Progress& progress, bool is_mine) {
  constexpr long kMostCallsBetween = 4096;
  if (++calls_ == next_) {
    next_ += std::min(next_, kMostCallsBetween);
    const int own[] = {has_devices() ? 1 : 0, is_mine ? 1 : 0};
    int all[] = {0, 0};
    progress.reduce(own, all, 2, MPI_INT, MPI_MAX);
    has_devices_ = all[0] != 0;
    return all[1] != 0;
  }
  if (!has_devices_) return false;
  const int own = is_mine ? 1 : 0;
  int any = 0;
  progress.reduce(&own, &any, 1, MPI_INT, MPI_MAX);
  return any != 0;
}

}  // namespace shunt
