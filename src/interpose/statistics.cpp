#include "interpose/statistics.hpp"

#include <algorithm>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include "environment/environment.hpp"
#include "model/or_nothing.hpp"
#include "model/say.hpp"
#include "mpi_calls/mpi_call.hpp"

namespace shunt::interpose {

namespace {

/// A communicator for what the ranks tell each other: errors on it come back, and no message of the
/// program is on it.
class Line {
 public:
  Line() {
    check_mpi(PMPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm_), "MPI_Comm_split");
    PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(comm_, &rank_);
    PMPI_Comm_size(comm_, &ranks_);
  }
  ~Line() { PMPI_Comm_free(&comm_); }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  [[nodiscard]] Rank rank() const { return rank_; }
  [[nodiscard]] Rank ranks() const { return ranks_; }

  void send(const std::string& text, Rank to) const {
    check_mpi(PMPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, to, 0, comm_),
              "MPI_Send");
  }

  [[nodiscard]] std::string receive(Rank from) const {
    MPI_Status status;
    int length = 0;
    check_mpi(PMPI_Probe(from, 0, comm_, &status), "MPI_Probe");
    PMPI_Get_count(&status, MPI_CHAR, &length);
    std::string text(static_cast<std::size_t>(length), '\0');
    check_mpi(PMPI_Recv(text.data(), length, MPI_CHAR, from, 0, comm_, MPI_STATUS_IGNORE),
              "MPI_Recv");
    return text;
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  Rank rank_ = 0;
  Rank ranks_ = 0;
};

std::string hexadecimal(std::uint64_t number) { return fmt::format("{:#x}", number); }

nlohmann::ordered_json to_json(const Place& place, const SiteStatistics& site) {
  const Environment& chosen = environment();
  nlohmann::ordered_json algorithm;
  if (site.native_calls() < site.calls) {
    const bool allgather = place.function.starts_with("MPI_Allgather");
    algorithm = allgather ? chosen.allgather.algorithm : chosen.options.algorithm;
  }
  return {{"function", place.function},
          {"module", place.module},
          {"offset", hexadecimal(place.offset)},
          {"symbol",
           place.symbol.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(place.symbol)},
          {"ranks", site.ranks},
          {"calls", site.calls},
          {"failed", site.failed},
          {"bytes_sent", site.sent},
          {"bytes_received", site.received},
          {"seconds_slowest", site.seconds_slowest},
          {"seconds_sum", site.seconds_sum},
          {"algorithm", algorithm},
          {"native", site.native}};
}

/// Adds what another rank has said, and returns true. Throws where that is nothing.
bool add_json(Statistics& statistics, const std::string& text) {
  for (const nlohmann::ordered_json& entry : nlohmann::ordered_json::parse(text)) {
    Place place{entry.at("function"), entry.at("module"),
                std::stoull(entry.at("offset").get<std::string>(), nullptr, 16), ""};
    if (entry.at("symbol").is_string()) place.symbol = entry.at("symbol");
    SiteStatistics site;
    entry.at("ranks").get_to(site.ranks);
    entry.at("calls").get_to(site.calls);
    entry.at("failed").get_to(site.failed);
    entry.at("bytes_sent").get_to(site.sent);
    entry.at("bytes_received").get_to(site.received);
    entry.at("seconds_slowest").get_to(site.seconds_slowest);
    entry.at("seconds_sum").get_to(site.seconds_sum);
    entry.at("native").get_to(site.native);
    statistics[place].add(site);
  }
  return true;
}

/// What a rank has to say, for another one; empty where it cannot say it. Another rank waits for
/// it, so nothing is thrown.
std::string message_of(const Statistics& statistics) noexcept {
  return or_nothing([&] {
    std::string text = text_of(to_json(statistics));
    return std::in_range<int>(text.size()) ? text : std::string();
  });
}

std::string program_file() {
  char name[4096];
  const ssize_t length = readlink("/proc/self/exe", name, sizeof name);
  return length > 0 ? std::string(name, static_cast<std::size_t>(length)) : "the program";
}

/// The site in terms that hold on all ranks.
Place place_of(const CallSite& site) {
  Place place{std::string(site.first), "unknown", 0, ""};
  // The byte before the one to which the call returns is part of the call.
  const auto* call = static_cast<const char*>(site.second) - 1;
  Dl_info info{};
  link_map* module = nullptr;
  if (dladdr1(call, &info, reinterpret_cast<void**>(&module), RTLD_DL_LINKMAP) == 0) return place;
  // The loader has no name for the program itself.
  place.module = *module->l_name == '\0' ? program_file() : module->l_name;
  place.offset = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(call) -
                                            static_cast<std::uintptr_t>(module->l_addr));
  if (info.dli_sname != nullptr) place.symbol = info.dli_sname;
  return place;
}

SiteStatistics statistics_of(const Tally& tally) {
  SiteStatistics site;
  site.ranks = 1;
  site.failed = tally.failed;
  site.sent = tally.traffic.sent;
  site.received = tally.traffic.received;
  site.seconds_slowest = tally.seconds;
  site.seconds_sum = tally.seconds;
  for (std::size_t k = 0; k < kWays; ++k) {
    const auto way = static_cast<Way>(k);
    site.calls += tally.calls[k];
    if (way != Way::shunt && tally.calls[k] > 0) site.native[reason_of(way)] = tally.calls[k];
  }
  return site;
}

}  // namespace

void SiteStatistics::add(const SiteStatistics& other) {
  ranks += other.ranks;
  calls += other.calls;
  failed += other.failed;
  sent += other.sent;
  received += other.received;
  seconds_slowest = std::max(seconds_slowest, other.seconds_slowest);
  seconds_sum += other.seconds_sum;
  for (const auto& [reason, number] : other.native) native[reason] += number;
}

std::int64_t SiteStatistics::native_calls() const {
  std::int64_t number = 0;
  for (const auto& [reason, calls_for_it] : native) number += calls_for_it;
  return number;
}

Statistics own_statistics() {
  Statistics statistics;
  for (const auto& [site, tally] : recorded_sites()) {
    statistics[place_of(site)].add(statistics_of(tally));
  }
  return statistics;
}

Statistics gather(Statistics own) {
  const Line line;
  bool complete = true;
  for (Rank distance = 1; distance < line.ranks(); distance *= 2) {
    if (line.rank() % (2 * distance) != 0) {
      line.send(message_of(own), line.rank() - distance);
      return {};
    }
    if (line.rank() + distance >= line.ranks()) continue;
    const std::string text = line.receive(line.rank() + distance);
    complete = or_nothing([&] { return add_json(own, text); }) && complete;
  }
  if (!complete) say("the statistics lack what some ranks did: these had no memory to tell it");
  return own;
}

std::string text_of(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::ordered_json to_json(const Statistics& statistics) {
  nlohmann::ordered_json sites = nlohmann::ordered_json::array();
  for (const auto& [place, site] : statistics) sites.push_back(to_json(place, site));
  return sites;
}

}  // namespace shunt::interpose
