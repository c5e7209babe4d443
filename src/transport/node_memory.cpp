#include "transport/node_memory.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mpi_calls/mpi_call.hpp"
#include "shunt/error.hpp"
#include "transport/node_communicator.hpp"
#include "transport/region.hpp"
#include "transport/shared_memory.hpp"
#include "transport/token.hpp"

namespace shunt {

namespace {

/// What a process wants, and who it is.
struct Wish {
  Bytes bytes;
  std::int64_t process;
};

}  // namespace

/// At its beginning, a line for each process: a word that is not 0 once it has let its part go.
class NodeMemory::Mapping {
 public:
  /// Collective over `comm`; null where not all of its ranks reach the memory.
  static std::shared_ptr<Mapping> create(MPI_Comm comm, const Wish& own) {
    const std::vector<Wish> wishes = gather_from_all(comm, own);
    std::uint64_t token = new_token();
    check_mpi(MPI_Bcast(&token, sizeof token, MPI_BYTE, 0, comm), "MPI_Bcast");
    int place = 0;
    check_mpi(MPI_Comm_rank(comm, &place), "MPI_Comm_rank");
    auto mapping = std::make_shared<Mapping>();
    mapping->token_ = token;
    mapping->place_ = static_cast<std::size_t>(place);
    Bytes end = whole_pages(std::ssize(wishes) * Region::kLine);
    // Parts begin at pages of their own, so that the system can take one back.
    for (const Wish& wish : wishes) {
      if (mapping->processes_.size() == mapping->place_) mapping->begin_ = end;
      mapping->processes_.push_back(wish.process);
      end += whole_pages(std::max(wish.bytes, Bytes{1}));
    }
    mapping->bytes_ = own.bytes;
    mapping->memory_ = SharedMemory::create(comm, end);
    return mapping->memory_ != nullptr ? mapping : nullptr;
  }

  [[nodiscard]] std::uint64_t token() const { return token_; }
  [[nodiscard]] const std::byte* data() const { return memory_->data(); }
  [[nodiscard]] std::span<std::byte> own() const {
    return {memory_->data() + begin_, static_cast<std::size_t>(bytes_)};
  }

  [[nodiscard]] bool has(const std::byte* at) const {
    const std::span<std::byte> part = own();
    return at >= part.data() && at < part.data() + part.size();
  }
  [[nodiscard]] bool is_read_by(std::int64_t process) const {
    return std::ranges::find(processes_, process) != processes_.end();
  }

  void let_go() const {
    // A child of the process shares the pages, and its parent goes on.
    if (processes_[place_] != ::getpid()) return;
    if (bytes_ > 0) {
      // Where the system does not, they go with the memory.
      (void)::madvise(own().data(), static_cast<std::size_t>(whole_pages(bytes_)), MADV_REMOVE);
    }
    gone(place_).store(1, std::memory_order_release);
  }
  [[nodiscard]] bool is_left() const {
    for (std::size_t place = 0; place < processes_.size(); ++place) {
      if (gone(place).load(std::memory_order_acquire) == 0) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] Word& gone(std::size_t place) const {
    return *reinterpret_cast<Word*>(memory_->data() + static_cast<Bytes>(place) * Region::kLine);
  }

  std::uint64_t token_ = 0;
  std::size_t place_ = 0;
  std::vector<std::int64_t> processes_;  ///< by place
  Bytes begin_ = 0;                      ///< of this rank's part
  Bytes bytes_ = 0;                      ///< of it
  std::unique_ptr<SharedMemory> memory_;
};

namespace {

/// Those of this process that others may still use, of all communicators.
class Mappings {
 public:
  using Shared = std::shared_ptr<NodeMemory::Mapping>;

  /// Never destroyed: what a program has not let go by its end is let go by destructors of static
  /// objects, in whatever order.
  static Mappings& all() {
    static Mappings& mappings = *std::make_unique<Mappings>().release();
    return mappings;
  }

  void add(Shared mapping) {
    const std::lock_guard lock(mutex_);
    sweep();
    kept_.push_back(std::move(mapping));
  }
  void let_go(const NodeMemory::Mapping& mapping) {
    const std::lock_guard lock(mutex_);
    mapping.let_go();
    sweep();
  }
  template <class Wanted>
  [[nodiscard]] Shared find(Wanted&& wanted) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(kept_, wanted);
    return found != kept_.end() ? *found : nullptr;
  }

 private:
  void sweep() {
    std::erase_if(kept_, [](const Shared& mapping) { return mapping->is_left(); });
  }

  std::mutex mutex_;
  std::vector<Shared> kept_;
};

}  // namespace

std::unique_ptr<NodeMemory> NodeMemory::create(MPI_Comm comm, const Node& node, Bytes bytes) {
  const NodeCommunicator part = NodeCommunicator::part_of(comm, node.ranks().front());
  const Wish own{bytes, ::getpid()};
  std::shared_ptr<Mapping> mapping;
  if (node.shares()) mapping = Mapping::create(part.get(), own);
  if (mapping == nullptr) mapping = Mapping::create(MPI_COMM_SELF, own);
  if (mapping == nullptr) {
    throw Error(ErrorKind::buffer,
                fmt::format("the system has no {} bytes of memory for a node's ranks", bytes));
  }
  Mappings::all().add(mapping);
  return std::unique_ptr<NodeMemory>(new NodeMemory(std::move(mapping)));
}

NodeMemory::~NodeMemory() { Mappings::all().let_go(*mapping_); }

std::span<std::byte> NodeMemory::own() const { return mapping_->own(); }

std::optional<NodeAddress> NodeMemory::address_of(const std::byte* at, std::int64_t reader) {
  const auto mapping = Mappings::all().find([&](const std::shared_ptr<Mapping>& kept) {
    return kept->has(at) && kept->is_read_by(reader);
  });
  if (mapping == nullptr) return std::nullopt;
  return NodeAddress{mapping->token(), at - mapping->data()};
}

const std::byte* NodeMemory::find(const NodeAddress& address) {
  const auto mapping = Mappings::all().find(
      [&](const std::shared_ptr<Mapping>& kept) { return kept->token() == address.memory; });
  return mapping != nullptr ? mapping->data() + address.offset : nullptr;
}

}  // namespace shunt
