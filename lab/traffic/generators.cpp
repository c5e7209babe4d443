// The traffic patterns: each one a function of the seed, the sender and the receiver.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "lab/traffic/draws.hpp"
#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic.hpp"
#include "model/parse.hpp"
#include "shunt/error.hpp"

namespace shunt {
namespace {

/// A traffic whose blocks a function of sender and receiver gives.
template <class Count>
class Generated final : public Traffic {
 public:
  Generated(std::string name, Rank ranks, Count count)
      : name_(std::move(name)), ranks_(ranks), count_(std::move(count)) {}

  [[nodiscard]] Rank ranks() const override { return ranks_; }
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] Bytes count(Rank source, Rank destination) const override {
    return count_(source, destination);
  }

 private:
  std::string name_;
  Rank ranks_;
  Count count_;
};

template <class Count>
std::unique_ptr<Traffic> generated(std::string name, const TrafficShape& shape, Count count) {
  return std::make_unique<Generated<Count>>(std::move(name), shape.ranks, std::move(count));
}

/// A pattern with two lengths of block: the maximum where `large(source, destination)`, and
/// `otherwise` elsewhere.
template <class Large>
std::unique_ptr<Traffic> two_lengths(std::string name, const TrafficShape& shape, Bytes otherwise,
                                     Large large) {
  return generated(std::move(name), shape,
                   [maximum = shape.maximum, otherwise, large](Rank source, Rank destination) {
                     return large(source, destination) ? maximum : otherwise;
                   });
}

Bytes background_of(const TrafficShape& shape) { return std::min(shape.background, shape.maximum); }

Rank random_rank(std::uint64_t bits, Rank ranks) {
  return static_cast<Rank>(bits % static_cast<std::uint64_t>(ranks));
}

[[noreturn]] void bad_parameter(std::string_view pattern, std::string_view text,
                                std::string_view rule) {
  throw Error(ErrorKind::argument, fmt::format("the parameter of the traffic \"{}:{}\" must be {}",
                                               pattern, text, rule));
}

double real_parameter(std::string_view pattern, std::string_view text, double otherwise,
                      double most, std::string_view rule) {
  if (text.empty()) return otherwise;
  const auto value = parse_number<double>(text);
  if (!value || !(*value >= 0 && *value <= most)) bad_parameter(pattern, text, rule);
  return *value;
}

Rank rank_parameter(std::string_view pattern, std::string_view text, Rank otherwise) {
  if (text.empty()) return otherwise;
  const auto value = parse_number<Rank>(text);
  if (!value || *value < 0) bad_parameter(pattern, text, "a whole number from 0 to 2147483647");
  return *value;
}

std::unique_ptr<Traffic> zero(std::string_view, const TrafficShape& shape) {
  return generated("zero", shape, [](Rank, Rank) { return Bytes{0}; });
}

std::unique_ptr<Traffic> uniform(std::string_view, const TrafficShape& shape) {
  return generated("uniform", shape, [maximum = shape.maximum](Rank, Rank) { return maximum; });
}

std::unique_ptr<Traffic> pattern1(std::string_view, const TrafficShape& shape) {
  return two_lengths("pattern1", shape, background_of(shape),
                     [seed = shape.seed, ranks = shape.ranks](Rank source, Rank destination) {
                       return destination == random_rank(hash(seed, source), ranks);
                     });
}

std::unique_ptr<Traffic> pattern2(std::string_view, const TrafficShape& shape) {
  std::int64_t side = 1;
  while (side * side < shape.ranks) ++side;
  return two_lengths("pattern2", shape, background_of(shape),
                     [side, ranks = shape.ranks](Rank source, Rank destination) {
                       const std::int64_t mirror = source % side * side + source / side;
                       // An incomplete array lacks some mirror images; such a rank is its own.
                       return destination == (mirror < ranks ? mirror : source);
                     });
}

std::unique_ptr<Traffic> zipf(std::string_view parameter, const TrafficShape& shape) {
  const double exponent = real_parameter("zipf", parameter, 1, 1000, "a number from 0 to 1000");
  return generated(fmt::format("zipf:{}", exponent), shape,
                   [shape, exponent](Rank source, Rank destination) {
                     const std::uint64_t bits = hash(shape.seed, source, destination);
                     const double place = 1.0 + random_rank(bits, shape.ranks);
                     const double divisor = std::pow(place, exponent);
                     // Not by division: the largest integers are no doubles.
                     if (divisor <= 1) return shape.maximum;
                     return static_cast<Bytes>(static_cast<double>(shape.maximum) / divisor);
                   });
}

std::unique_ptr<Traffic> neighbours(std::string_view parameter, const TrafficShape& shape) {
  const Rank k = rank_parameter("neighbours", parameter, 4);
  return two_lengths(
      fmt::format("neighbours:{}", k), shape, 0, [shape, k](Rank source, Rank destination) {
        if (source == destination) return false;
        // Each sender orders the other ranks in its own way; the first k are its neighbours.
        const auto others = static_cast<std::uint64_t>(shape.ranks - 1);
        const auto other = static_cast<std::uint64_t>(destination - (destination > source));
        return permute(hash(shape.seed, source), others, other) < static_cast<std::uint64_t>(k);
      });
}

std::unique_ptr<Traffic> banded(std::string_view parameter, const TrafficShape& shape) {
  const Rank width = rank_parameter("banded", parameter, 1);
  return two_lengths(fmt::format("banded:{}", width), shape, 0,
                     [width, ranks = shape.ranks](Rank source, Rank destination) {
                       const Rank distance = std::abs(source - destination);
                       return std::min(distance, ranks - distance) <= width;
                     });
}

std::unique_ptr<Traffic> hot_receiver(std::string_view, const TrafficShape& shape) {
  return two_lengths("hot-receiver", shape, background_of(shape),
                     [hot = random_rank(hash(shape.seed), shape.ranks)](Rank, Rank destination) {
                       return destination == hot;
                     });
}

std::unique_ptr<Traffic> hot_sender(std::string_view, const TrafficShape& shape) {
  return two_lengths("hot-sender", shape, background_of(shape),
                     [hot = random_rank(hash(shape.seed), shape.ranks)](Rank source, Rank) {
                       return source == hot;
                     });
}

std::unique_ptr<Traffic> lower_triangular(std::string_view, const TrafficShape& shape) {
  return two_lengths("lower-triangular", shape, 0,
                     [](Rank source, Rank destination) { return destination <= source; });
}

std::unique_ptr<Traffic> sparse_named(std::string name, double share, const TrafficShape& shape) {
  return generated(std::move(name), shape, [shape, share](Rank source, Rank destination) {
    const std::uint64_t bits = hash(shape.seed, source, destination);
    if (to_fraction(bits) < share) return Bytes{0};
    // Mixed again, so that the length does not depend on how near the share was.
    return static_cast<Bytes>(mix(bits) % (static_cast<std::uint64_t>(shape.maximum) + 1));
  });
}

std::unique_ptr<Traffic> sparse(std::string_view parameter, const TrafficShape& shape) {
  const double share = real_parameter("sparse", parameter, 0.9, 1, "a share from 0 to 1");
  return sparse_named(fmt::format("sparse:{}", share), share, shape);
}

std::unique_ptr<Traffic> random(std::string_view, const TrafficShape& shape) {
  return sparse_named("random", 0, shape);
}

// clang-format off
constexpr std::array kTrafficPatterns{
    TrafficPattern{"uniform", "", "every block has the maximum length", uniform},
    TrafficPattern{"random", "", "random lengths from 0 to the maximum", random},
    TrafficPattern{"sparse", "share (0.9)", "random, with this share of the blocks empty", sparse},
    TrafficPattern{"zipf", "exponent (1)", "a block has the maximum over r^exponent, r random in 1..P", zipf},
    TrafficPattern{"pattern1", "", "one spike: each rank sends the maximum to one random rank", pattern1},
    TrafficPattern{"pattern2", "", "transpose: each rank sends the maximum to its mirror image in a square", pattern2},
    TrafficPattern{"neighbours", "k (4)", "each rank sends the maximum to k random others, nothing elsewhere", neighbours},
    TrafficPattern{"banded", "width (1)", "the maximum up to this cyclic distance, nothing elsewhere", banded},
    TrafficPattern{"hot-receiver", "", "every rank sends the maximum to the same rank", hot_receiver},
    TrafficPattern{"hot-sender", "", "one rank sends the maximum to every rank", hot_sender},
    TrafficPattern{"lower-triangular", "", "the maximum to no higher rank, nothing elsewhere", lower_triangular},
    TrafficPattern{"zero", "", "nothing to send", zero},
};
// clang-format on

}  // namespace

std::span<const TrafficPattern> traffic_patterns() { return kTrafficPatterns; }

}  // namespace shunt
