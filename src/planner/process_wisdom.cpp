#include "planner/process_wisdom.hpp"

#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "algorithms/canonical_name.hpp"
#include "model/configuration.hpp"
#include "model/host_kind.hpp"
#include "model/say.hpp"
#include "model/wisdom_file.hpp"
#include "mpi_calls/at_finalize.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

class ProcessWisdom {
 public:
  [[nodiscard]] std::optional<WisdomEntry> find(const WisdomKey& key, Effort least) {
    const std::lock_guard lock(mutex_);
    if (!open()) return std::nullopt;
    const WisdomEntry* const found = known_.find(key, least);
    return found == nullptr ? std::nullopt : std::optional(*found);
  }

  void learn(const WisdomKey& key, const WisdomEntry& entry) {
    const std::lock_guard lock(mutex_);
    if (!open()) return;
    const WisdomEntry* const before = known_.find(key, Effort::estimate);
    corrects_ = corrects_ || (before != nullptr && before->algorithm != entry.algorithm);
    known_.learn(key, entry);
    fresh_.learn(key, entry);
    if (!saves_at_end_) at_finalize([this] { save_last(); });
    saves_at_end_ = true;
    constexpr std::size_t kMany = 64;
    if (fresh_.entries().size() >= kMany && !complained_) save();
  }

 private:
  /// Whether there is a file; reads it where the variables name it for the first time.
  bool open() {
    const std::optional<std::filesystem::path> path = wisdom_file();
    if (path == path_) return path_.has_value();
    save();
    path_ = path;
    known_ = {};
    forget_fresh();
    complained_ = false;
    if (!path_) return false;
    try {
      known_ = read_wisdom(*path_);
    } catch (const std::exception& error) {
      complain(error.what());
    }
    return true;
  }

  void save() {
    if (!path_) return;
    try {
      const std::string note = save_wisdom(*path_, fresh_, corrects_);
      if (!note.empty()) say(note);
      forget_fresh();
    } catch (const std::exception& error) {
      complain(error.what());
    }
  }

  void forget_fresh() {
    fresh_ = {};
    corrects_ = false;
  }

  void save_last() {
    const std::lock_guard lock(mutex_);
    save();
    saves_at_end_ = false;
  }

  /// What goes wrong here never fails the program. Once is enough; the end is tried again.
  void complain(const std::string& sentence) {
    if (is_verbose() && !complained_) say(sentence);
    complained_ = true;
  }

  std::mutex mutex_;
  std::optional<std::filesystem::path> path_;
  Wisdom known_;
  Wisdom fresh_;           ///< of that, what is not in the file yet
  bool corrects_ = false;  ///< some of which is another way than was known
  bool saves_at_end_ = false;
  bool complained_ = false;
};

/// Never destroyed, since a program may end MPI in a destructor of its own that comes later.
ProcessWisdom& process_wisdom() {
  static auto* const kWisdom = new ProcessWisdom;
  return *kWisdom;
}

}  // namespace

bool may_learn() {
  const char* const value = std::getenv("SHUNT_LEARN");
  return value == nullptr || std::string_view(value) != "0";
}

WisdomKey wisdom_key(Context& context, const Question& question) {
  static const std::string kMachine = host_kind();
  static const std::string kMpi = mpi_library();
  return {kMachine,
          kMpi,
          fmt::format("{}, {} processors", ranks_text(*context.topology.machine()),
                      context.node().processors()),
          question.kind,
          options_text(question.options),
          question.traffic.text()};
}

std::optional<WisdomEntry> recall(const WisdomKey& key, Effort least) {
  std::optional<WisdomEntry> entry = process_wisdom().find(key, least);
  if (!entry) return entry;
  entry->algorithm = canonical_name(entry->algorithm);
  for (Trial& trial : entry->trials) trial.algorithm = canonical_name(trial.algorithm);
  return entry;
}

void remember(const WisdomKey& key, WisdomEntry entry) noexcept {
  try {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    entry.found = std::chrono::duration_cast<std::chrono::seconds>(now).count();
    process_wisdom().learn(key, entry);
  } catch (const std::exception& error) {
    if (is_verbose()) say(error.what());
  }
}

}  // namespace shunt
