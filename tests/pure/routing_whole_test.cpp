// All ranks of an exchange in one process: what the engine does, without MPI, with real bytes.
#include <algorithm>
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "lab/simulation/random_machine.hpp"
#include "pure/function_traffic.hpp"
#include "routing/landing.hpp"
#include "routing/streams.hpp"

namespace shunt {
namespace {

using Memory = std::vector<std::byte>;

std::size_t index(Bytes value) { return static_cast<std::size_t>(value); }

/// A byte that depends on everything, so that a byte from elsewhere is seen.
void fill_block(Rank source, Rank destination, std::span<std::byte> block) {
  auto state = static_cast<std::uint64_t>(scrambled(source, destination, 77, Bytes{1} << 62)) | 1;
  for (std::byte& byte : block) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    byte = static_cast<std::byte>(state >> 56);
  }
}

/// Blocks one after the other.
struct Blocks {
  std::vector<Bytes> counts;
  std::vector<std::size_t> offsets;
  Memory bytes;

  explicit Blocks(std::vector<Bytes> lengths) : counts(std::move(lengths)) {
    std::size_t end = 0;
    for (const Bytes count : counts) {
      offsets.push_back(end);
      end += index(count);
    }
    bytes.assign(end, std::byte{0xA5});
  }

  [[nodiscard]] std::span<std::byte> block(std::size_t k) {
    return std::span(bytes).subspan(offsets[k], index(counts[k]));
  }
};

/// A message as it travels: an encoded table of contents, then the payload.
struct Message {
  Rank from;
  Memory bytes;
};

class WholeExchange {
 public:
  WholeExchange(const Algorithm& algorithm, const Traffic& traffic)
      : algorithm_(algorithm), ranks_(algorithm.ranks()) {
    std::vector<Bytes> counts(index(ranks_));
    for (Rank rank = 0; rank < ranks_; ++rank) {
      traffic.row(rank, counts);
      Blocks blocks(counts);
      for (Rank to = 0; to < ranks_; ++to) fill_block(rank, to, blocks.block(index(to)));
      Holder holder;
      holder.streams.set_blocks(counts);
      for (Rank to = 0; to < ranks_; ++to) {
        const auto block = blocks.block(index(to));
        holder.places.emplace_back(block.begin(), block.end());
      }
      holders_.push_back(std::move(holder));
      traffic.column(rank, counts);
      received_.emplace_back(counts);
    }
  }

  /// Moves everything. False, with a failure, where a message is not what its receiver expects.
  [[nodiscard]] bool run() {
    for (int stage = 0; stage + 1 < algorithm_.stages(); ++stage) {
      send(stage, true);
      for (Rank rank = 0; rank < ranks_; ++rank) open(rank);
    }
    send(algorithm_.stages() - 1, false);
    for (Rank rank = 0; rank < ranks_; ++rank) {
      if (!land(rank)) return false;
    }
    return true;
  }

  /// Compares every byte received with the block it belongs to.
  [[nodiscard]] bool arrived() {
    for (Rank rank = 0; rank < ranks_; ++rank) {
      Blocks expected(received_[index(rank)].counts);
      for (Rank from = 0; from < ranks_; ++from) {
        fill_block(from, rank, expected.block(index(from)));
      }
      if (received_[index(rank)].bytes != expected.bytes) {
        ADD_FAILURE() << "rank " << rank << " has received wrong bytes";
        return false;
      }
    }
    return true;
  }

 private:
  /// What a rank holds between two stages.
  struct Holder {
    Streams streams;
    std::vector<Memory> places;
  };

  /// Sorts out what every rank holds and puts the messages into the mailboxes, senders ascending.
  void send(int stage, bool label) {
    inbox_.assign(index(ranks_), {});
    for (Rank rank = 0; rank < ranks_; ++rank) {
      const Holder& holder = holders_[index(rank)];
      sort_out(algorithm_, stage, rank, holder.streams, algorithm_.steps(stage, rank), outgoing_);
      for (const Outgoing& message : outgoing_) {
        if (!label && message.payload == 0) continue;
        Memory bytes(label ? encoded_size(message.contents) : 0);
        if (label) encode(message.contents, bytes.data());
        for (const Range& range : message.ranges) {
          const auto from = holder.places.at(range.place).begin() + range.offset;
          bytes.insert(bytes.end(), from, from + range.length);
        }
        inbox_[index(message.to)].push_back({rank, std::move(bytes)});
      }
    }
  }

  /// The messages that `rank` has received become what it holds.
  void open(Rank rank) {
    Holder& holder = holders_[index(rank)];
    holder.places.clear();
    std::vector<Contents> contents;
    for (Message& message : inbox_[index(rank)]) {
      contents.emplace_back();
      const std::size_t label = decode(message.bytes, ranks_, contents.back());
      message.bytes.erase(message.bytes.begin(),
                          message.bytes.begin() + static_cast<std::ptrdiff_t>(label));
      holder.places.push_back(std::move(message.bytes));
    }
    holder.streams.set_messages(ranks_, contents);
  }

  /// Brings the last messages to where `rank`, which knows its own counts only, says they belong.
  bool land(Rank rank) {
    Blocks& blocks = received_[index(rank)];
    const std::vector<Message>& inbox = inbox_[index(rank)];
    const auto arrivals = arrivals_at(algorithm_, rank, blocks.counts);
    EXPECT_EQ(arrivals.size(), inbox.size()) << "messages for rank " << rank;
    if (arrivals.size() != inbox.size()) return false;
    for (std::size_t i = 0; i < inbox.size(); ++i) {
      const bool as_expected =
          arrivals[i].from == inbox[i].from && arrivals[i].payload == std::ssize(inbox[i].bytes);
      EXPECT_TRUE(as_expected) << "rank " << rank << " expects " << arrivals[i].payload
                               << " bytes from rank " << arrivals[i].from << " and receives "
                               << inbox[i].bytes.size() << " from rank " << inbox[i].from;
      if (!as_expected) return false;
      const std::byte* payload = inbox[i].bytes.data();
      for (const Landing& landing : arrivals[i].landings) {
        std::memcpy(blocks.block(index(landing.source)).data() + landing.offset, payload,
                    index(landing.length));
        payload += landing.length;
      }
    }
    return true;
  }

  const Algorithm& algorithm_;
  Rank ranks_;
  std::vector<Holder> holders_;
  std::vector<Blocks> received_;
  std::vector<std::vector<Message>> inbox_;
  std::vector<Outgoing> outgoing_;
};

/// Nothing; one pair alone; a rank that all send to and one that sends to all; random lengths, many
/// of them 0, below and above the grain.
std::vector<FunctionTraffic> traffics(Rank ranks) {
  return {
      {"zero", ranks, [](Rank, Rank) { return Bytes{0}; }},
      {"first to last", ranks,
       [=](Rank source, Rank destination) {
         return Bytes{source == 0 && destination == ranks - 1 ? 5000 : 0};
       }},
      {"last to middle", ranks,
       [=](Rank source, Rank destination) {
         return Bytes{source == ranks - 1 && destination == ranks / 2 ? 777 : 0};
       }},
      {"hot spots", ranks,
       [=](Rank source, Rank destination) {
         if (destination == ranks / 3) return Bytes{1500};
         return Bytes{source == ranks / 2 ? 600 : source % 2};
       }},
      {"random", ranks,
       [](Rank source, Rank destination) {
         const Bytes kind = scrambled(source, destination, 21, 4);
         if (kind == 0) return Bytes{0};
         return scrambled(source, destination, 22, kind == 1 ? 1200 : 40);
       }},
  };
}

void expect_exact(const Algorithm& algorithm) {
  const Rank ranks = algorithm.ranks();
  for (const FunctionTraffic& all : traffics(ranks)) {
    SCOPED_TRACE(algorithm.name() + " on " + std::to_string(ranks) + ", " + all.name());
    const FunctionTraffic traffic(all.name(), ranks, [&](Rank source, Rank destination) {
      return algorithm.supports_pair(source, destination) ? all.count(source, destination) : 0;
    });
    WholeExchange exchange(algorithm, traffic);
    ASSERT_TRUE(exchange.run());
    ASSERT_TRUE(exchange.arrived());
  }
}

class RoutingWhole : public testing::TestWithParam<Rank> {};

TEST_P(RoutingWhole, BringsEveryByteToItsPlace) {
  for (const std::string& name : algorithm_names(GetParam())) {
    for (const Bytes grain : {1, 8, 512}) {
      SCOPED_TRACE("grain " + std::to_string(grain));
      expect_exact(*make_algorithm(name, GetParam(), grain));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(RoutingWholeOnTori, BringsEveryByteToItsPlace) {
  for (const char* name :
       {"torus:4x8", "torus:12x4", "torus:8x8", "torus-pipeline:2x6", "torus-pipeline:6x4",
        "torus-pipeline:6x6", "torus-pipeline:10x6", "torus-split:3x3", "torus-split:5x7",
        "torus-split:8x6", "torus-split:2x2x2", "torus-split:3x4x5", "torus-split:4x4x4",
        "torus-split:3x2x3x2", "torus-split:1x9"}) {
    const std::string_view text(name);
    const Rank ranks = Extents::parse(text.substr(text.find(':') + 1)).ranks();
    for (const Bytes grain : {1, 512}) {
      expect_exact(*make_algorithm(name, ranks, grain));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(RoutingWholeOnNodes, BringsEveryByteToItsPlace) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Machine machine = random_machine(seed, 6, 5);
    SCOPED_TRACE("machine " + std::to_string(seed));
    for (const std::string& name : node_algorithm_names()) {
      expect_exact(*make_algorithm(name, machine, 1));
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Few, RoutingWhole, testing::Range(Rank{1}, Rank{44}),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(Many, RoutingWhole,
                         testing::Values<Rank>(47, 55, 61, 64, 71, 89, 99, 100, 129),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace shunt
