#include "lab/traffic/traffic_file.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "lab/traffic/patterns.hpp"
#include "support/temporary_file.hpp"

namespace shunt {
namespace {

using test::TemporaryFile;

TEST(TrafficFile, IsNoPattern) {
  for (const char* file : {"a.mtx", "a.shunt", "a.shunt#3"}) EXPECT_TRUE(is_traffic_file(file));
  for (const char* pattern : {"zipf:1.2", "mtx", "a.mtx#3"}) EXPECT_FALSE(is_traffic_file(pattern));
}

TEST(TrafficFile, HasOneSize) {
  const std::vector<Bytes> sizes{8, 64, 1024};
  EXPECT_EQ(sizes_for("uniform", sizes), sizes);
  EXPECT_EQ(sizes_for("a.mtx", sizes), std::vector<Bytes>{8});
  EXPECT_EQ(sizes_for("a.mtx", {}), std::vector<Bytes>{});
}

TEST(TrafficFile, HasItsOwnMaximum) {
  const TrafficShape shape{.ranks = 2, .maximum = 1000};
  EXPECT_EQ(maximum_of(*make_traffic("zero", shape), shape), 1000);
  const TemporaryFile matrix(".mtx",
                             "%%MatrixMarket matrix coordinate integer general\n"
                             "2 2 3\n1 1 3\n2 1 40\n2 2 7\n");
  EXPECT_EQ(maximum_of(*make_traffic(matrix.path(), shape), shape), 40);
}

}  // namespace
}  // namespace shunt
