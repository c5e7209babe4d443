#include "interpose/call_sites.hpp"

#include <mutex>
#include <new>

namespace shunt::interpose {

namespace {

struct Record {
  std::mutex mutex;
  CallSites sites;
};

Record& the_record() {
  static Record record;
  return record;
}

}  // namespace

void record(const char* function, const void* caller, const Tally& tally) noexcept {
  try {
    Record& all = the_record();
    const std::lock_guard lock(all.mutex);
    Tally& sum = all.sites[{function, caller}];
    for (std::size_t way = 0; way < kWays; ++way) sum.calls[way] += tally.calls[way];
    sum.failed += tally.failed;
    sum.traffic.sent += tally.traffic.sent;
    sum.traffic.received += tally.traffic.received;
    sum.seconds += tally.seconds;
  } catch (const std::bad_alloc&) {
    // The program's own data matter more than what is said of them.
  }
}

CallSites recorded_sites() {
  Record& all = the_record();
  const std::lock_guard lock(all.mutex);
  return all.sites;
}

}  // namespace shunt::interpose
