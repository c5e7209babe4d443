#include "model/traffic_signature.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace shunt {
namespace {

TEST(TrafficSignature, IsThatOfAllTrafficsBetweenPowersOfTwo) {
  const TrafficSignature signature = signature_of(BusiestRank{8192, 512, 16});
  EXPECT_EQ(signature, signature_of(BusiestRank{16383, 1023, 31}));
  EXPECT_NE(signature, signature_of(BusiestRank{16384, 512, 16}));
  EXPECT_NE(signature, signature_of(BusiestRank{8192, 1024, 16}));
  EXPECT_NE(signature, signature_of(BusiestRank{8192, 512, 32}));
  EXPECT_NE(signature, signature_of(BusiestRank{8191, 512, 16}));
}

TEST(TrafficSignature, SaysWhatTheyStayBelow) {
  EXPECT_EQ(signature_of(BusiestRank{8192, 512, 31}).text(),
            "16 KiB to others, blocks 1 KiB, messages 32");
  EXPECT_EQ(signature_of(BusiestRank{}).text(), "1 B to others, blocks 1 B, messages 1");
  EXPECT_EQ(signature_of(BusiestRank{INT64_MAX, 1023, 1}).text(),
            "8 EiB to others, blocks 1 KiB, messages 2");
}

TEST(TrafficSignature, OfAllgathersCountsSources) {
  const TrafficSignature signature = signature_of(Sources({0, 300, 5, 0}).totals());
  EXPECT_EQ(signature.text(), "512 B in all, blocks 512 B, sources 4");
  EXPECT_EQ(signature, signature_of(Sources({256, 1, 1, 0}).totals()));
  EXPECT_NE(signature, signature_of(Sources({256, 1, 1, 1}).totals()));
  EXPECT_NE(signature, signature_of(BusiestRank{300, 300, 2}));
  EXPECT_EQ(signature_of(Sources({0, 0}).totals()).text(), "1 B in all, blocks 1 B, sources 1");
}

}  // namespace
}  // namespace shunt
