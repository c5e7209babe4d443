#include "model/traffic_signature.hpp"

#include <bit>
#include <cstdint>

#include <fmt/format.h>

namespace shunt {

namespace {

int bits_of(Bytes number) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(number)));
}

/// 2^bits bytes.
std::string power_text(int bits) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  return fmt::format("{} {}", 1 << bits % 10, kUnits[bits / 10]);
}

}  // namespace

std::string TrafficSignature::text() const {
  return fmt::format("{} {}, blocks {}, {} {}", power_text(volume_bits),
                     allgather ? "in all" : "to others", power_text(longest_bits),
                     allgather ? "sources" : "messages", std::uint64_t{1} << count_bits);
}

TrafficSignature signature_of(const BusiestRank& exchange) {
  return {false, bits_of(exchange.load_of_others), bits_of(exchange.longest_block),
          bits_of(exchange.messages)};
}

TrafficSignature signature_of(const SourceTotals& allgather) {
  return {true, bits_of(allgather.bytes), bits_of(allgather.longest_length),
          bits_of(allgather.sources)};
}

}  // namespace shunt
