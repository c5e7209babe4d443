#include "model/way_text.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"

namespace shunt {
namespace {

using test::expect_error;

TEST(WayText, SaysWhatDiffersAndIsReadBack) {
  Options asked;
  Options way = asked;
  way.algorithm = "stages:4x4";
  EXPECT_EQ(way_text(way, asked), "stages:4x4");
  way.mode = Mode::single_buffer;
  way.grain = 4096;
  way.packet = 65536;
  way.window.messages = 4;
  way.shared_memory = false;
  const std::string text = way_text(way, asked);
  EXPECT_EQ(text, "stages:4x4 mode=single grain=4096 packet=65536 messages=4 shared=no");
  asked.window.bytes = 7;
  const Options read = read_way(text, asked);
  EXPECT_EQ(way_text(read, asked), text);
  EXPECT_EQ(read.algorithm, "stages:4x4");
  EXPECT_EQ(read.mode, Mode::single_buffer);
  EXPECT_EQ(read.grain, 4096);
  EXPECT_EQ(read.packet, 65536);
  EXPECT_EQ(read.window.messages, 4);
  EXPECT_EQ(read.window.bytes, 7);
  EXPECT_FALSE(read.shared_memory);
  EXPECT_EQ(way_text(asked, read), "auto mode=dual grain=512 packet=0 messages=64 shared=yes");
  EXPECT_TRUE(read_way("a1 shared=yes", read).shared_memory);
  const Options once = read_way("a1 shared=once", {.shared_memory = false});
  EXPECT_TRUE(once.shared_memory && once.single_copy);
  EXPECT_EQ(way_text(once, {}), "a1 shared=once");
  EXPECT_FALSE(read_way("a1 shared=yes", once).single_copy);
}

TEST(WayText, IsReadWithSuspicion) {
  for (const char* text : {"", " ", "a1 fast", "a1 mode=fast", "a1 grain=0", "a1 grain=x",
                           "a1 grain", "a1 packet=-1", "a1 messages=2147483648", "a1 shared=maybe",
                           "a1 shared", "a1 speed=1", "a1 grain=99999999999999999999"}) {
    expect_error(ErrorKind::argument, "is no way to make an exchange",
                 [&] { (void)read_way(text, {}); });
  }
}

TEST(WayText, TellsOptionsApart) {
  EXPECT_EQ(options_text({}), "dual, grain 512");
  Options options;
  options.mode = Mode::blocking;
  options.packet = 4096;
  options.shared_memory = false;
  options.window = {2, 100};
  EXPECT_EQ(options_text(options),
            "blocking, grain 512, packet 4096, no shared memory, window 2 of 100 bytes");
  options = {};
  options.single_copy = true;
  EXPECT_EQ(options_text(options), "dual, grain 512, single copies");
  options = {};
  options.memory = 65536;
  EXPECT_EQ(options_text(options), "dual, grain 512, memory 65536");
  options = {};
  options.algorithm = "a4";
  options.effort = Effort::patient;
  EXPECT_EQ(options_text(options), options_text({}));
}

}  // namespace
}  // namespace shunt
