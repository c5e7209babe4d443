#include "model/configuration.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/expect_error.hpp"

namespace shunt {
namespace {

using test::expect_error;

TEST(Configuration, SaysWhatDiffersAndIsReadBack) {
  Options asked;
  Configuration given = asked;
  given.algorithm = "stages:4x4";
  EXPECT_EQ(configuration_text(given, asked), "stages:4x4");
  given.mode = Mode::single_buffer;
  given.grain = 4096;
  given.packet = 65536;
  given.window.messages = 4;
  given.shared_memory = false;
  const std::string text = configuration_text(given, asked);
  EXPECT_EQ(text, "stages:4x4 mode=single grain=4096 packet=65536 messages=4 shared=no");
  asked.window.bytes = 7;
  const Configuration read = read_configuration(text, asked);
  EXPECT_EQ(configuration_text(read, asked), text);
  EXPECT_EQ(read.algorithm, "stages:4x4");
  EXPECT_EQ(read.mode, Mode::single_buffer);
  EXPECT_EQ(read.grain, 4096);
  EXPECT_EQ(read.packet, 65536);
  EXPECT_EQ(read.window.messages, 4);
  EXPECT_EQ(read.window.bytes, 7);
  EXPECT_FALSE(read.shared_memory);
  EXPECT_EQ(configuration_text(asked, read),
            "auto mode=dual grain=512 packet=0 messages=64 shared=yes");
  EXPECT_TRUE(read_configuration("linear shared=yes", read).shared_memory);
  const Configuration once = read_configuration("linear shared=once", {.shared_memory = false});
  EXPECT_TRUE(once.shared_memory && once.single_copy);
  EXPECT_EQ(configuration_text(once, {}), "linear shared=once");
  EXPECT_FALSE(read_configuration("linear shared=yes", once).single_copy);
}

TEST(Configuration, DiffersByAnyOption) {
  const std::vector<Configuration> plain = with_algorithms({"linear", "four-stage"}, {.grain = 64});
  EXPECT_EQ(plain, (std::vector<Configuration>{{.algorithm = "linear", .grain = 64},
                                               {.algorithm = "four-stage", .grain = 64}}));
  std::vector<Configuration> all{plain};
  append_new({plain.back(),
              {.algorithm = "four-stage", .packet = 1},
              {.algorithm = "four-stage", .packet = 1}},
             all);
  append_new({{.algorithm = "four-stage", .grain = 64, .window = {.messages = 1}}}, all);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[1], plain[1]);
  EXPECT_EQ(all[2].packet, 1);
  EXPECT_EQ(all[3].window.messages, 1);
}

TEST(Configuration, IsReadWithSuspicion) {
  for (const char* text :
       {"", " ", "linear fast", "linear mode=fast", "linear grain=0", "linear grain=x",
        "linear grain", "linear packet=-1", "linear messages=2147483648", "linear shared=maybe",
        "linear shared", "linear speed=1", "linear grain=99999999999999999999"}) {
    expect_error(ErrorKind::argument, "is no way to make an exchange",
                 [&] { (void)read_configuration(text, {}); });
  }
}

TEST(Configuration, TellsOptionsApart) {
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
  options.algorithm = "four-stage";
  options.effort = Effort::patient;
  EXPECT_EQ(options_text(options), options_text({}));
}

}  // namespace
}  // namespace shunt
