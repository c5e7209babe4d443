#include "lab/simulation/timeline_file.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/temporary_file.hpp"

namespace shunt {
namespace {

using test::expect_error;
using test::TemporaryFile;

const std::string kHeader =
    R"({"format":"shunt-timeline","version":1,"ranks":3,"stages":2,"seconds":0.5,"transfers":1})"
    "\n";

TEST(TimelineFile, IsReadAsItWasWritten) {
  const Timeline timeline{
      5, 3, 0.1234567890123, {{0, 4, 1, 1LL << 40, 1e-9, 0.1}, {2, 0, 0, 0, 0, 0}}};
  const TemporaryFile file(".timeline", timeline_text(timeline));
  const Timeline read = read_timeline(file.path());
  EXPECT_EQ(read.ranks, 5);
  EXPECT_EQ(read.stages, 3);
  EXPECT_EQ(read.seconds, timeline.seconds);
  ASSERT_EQ(read.transfers.size(), 2U);
  EXPECT_EQ(timeline_text(read), timeline_text(timeline));
  EXPECT_EQ(read.transfers[0].bytes, 1LL << 40);
  EXPECT_EQ(read.transfers[0].stage, 0);
  EXPECT_EQ(read.transfers[1].stage, 2);
}

TEST(TimelineFile, ReadsTheExampleOfTheDocumentation) {
  const TemporaryFile file(
      ".timeline",
      kHeader + R"({"stage":2,"from":0,"to":2,"bytes":512,"begin":0,"end":1.25e-05})" + "\n");
  const Timeline timeline = read_timeline(file.path());
  EXPECT_EQ(timeline.transfers.at(0).stage, 1);
  EXPECT_EQ(timeline.transfers.at(0).to, 2);
  EXPECT_EQ(timeline.transfers.at(0).end, 1.25e-05);
}

void expect_refused(const std::string& content, const std::string& words) {
  const TemporaryFile file(".timeline", content);
  expect_error(ErrorKind::file, words, [&] { static_cast<void>(read_timeline(file.path())); });
}

TEST(TimelineFile, IsRefusedWhereItIsNone) {
  expect_error(ErrorKind::file, "no such regular file",
               [] { static_cast<void>(read_timeline("/nowhere/at.all")); });
  expect_refused("", "the file is empty");
  expect_refused("12\n", ":1: the line must be a JSON object");
  expect_refused("{\"format\":\"shunt-trace\"}\n", "must have \"format\":\"shunt-timeline\"");
  expect_refused(kHeader, "the file has 0 of 1 messages");
  expect_refused(R"({"format":"shunt-timeline","version":1,"ranks":0})",
                 "\"ranks\" must be a whole number from 1");
}

TEST(TimelineFile, IsRefusedWhereAMessageIsWrong) {
  auto message = [](const std::string& from, const std::string& times) {
    return kHeader + R"({"stage":1,"to":1,"bytes":8,)" + from + "," + times + "}\n";
  };
  const std::string good = R"("begin":0,"end":0.5)";
  const TemporaryFile file(".timeline", message(R"("from":2)", good));
  EXPECT_EQ(read_timeline(file.path()).transfers.size(), 1U);
  expect_refused(message(R"("from":3)", good), ":2: \"from\" must be a whole number from 0 to 2");
  expect_refused(message(R"("from":1.5)", good), "\"from\" must be a whole number");
  expect_refused(message(R"("from":0)", R"("begin":0.4,"end":0.3)"), "\"begin\" must not be after");
  expect_refused(message(R"("from":0)", R"("begin":0.4,"end":0.6)"), "\"begin\" must not be after");
  expect_refused(message(R"("from":0)", R"("begin":-1,"end":0.3)"),
                 "\"begin\" must be a number of seconds");
  expect_refused(message(R"("from":0)", R"("begin":0)"), "\"end\" must be a number of seconds");
  expect_refused(message(R"("from":2)", good) + "{}\n", ":3: there is more than");
}

}  // namespace
}  // namespace shunt
