#include "tools/common/table.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"

namespace shunt {
namespace {

using nlohmann::json;
using test::expect_error;

TEST(Table, DerivesKeysFromHeadings) {
  EXPECT_EQ(derived_key("start-up us"), "start_up_us");
  EXPECT_EQ(derived_key("buffer / Lmax"), "buffer_lmax");
  EXPECT_EQ(derived_key("# send/rec"), "send_rec");
  EXPECT_EQ(derived_key("filled %"), "filled");
  EXPECT_EQ(derived_key("A1"), "a1");
  EXPECT_EQ(derived_key("größe"), "gr_e");
  EXPECT_EQ(derived_key(" - "), "");
}

TEST(Table, HasARowOfKeysAndValues) {
  Table table({{"algorithm", Align::left}, {"start-ups"}, {"median", Align::right, "median_us"}});
  table.add({"linear", 3, rounded(1.25, 1)});
  table.add({"two-stage", Cell(), Cell("none", 7)});
  EXPECT_EQ(table.json(), json::parse(R"([{"algorithm":"linear","start_ups":3,"median_us":1.25},
                                          {"algorithm":"two-stage","start_ups":null,"median_us":7}])"));
}

TEST(Table, HasARowForEachOfASeries) {
  Table table({{"bytes"},
               {"A1", Align::right, "time_ms", "curve"},
               {"recursive-halving:2x2", Align::right, "time_ms", "curve"}});
  table.add({8, 1, 2});
  EXPECT_EQ(table.json(), json::parse(R"([{"bytes":8,"curve":"A1","time_ms":1},
                                          {"bytes":8,"curve":"recursive-halving:2x2","time_ms":2}])"));
}

TEST(Table, RefusesKeysThatAreNone) {
  const auto refuse = [](const std::string& words, std::vector<Column> columns) {
    expect_error(ErrorKind::internal, words, [&] { Table{std::move(columns)}; });
  };
  refuse("the key \"least_us\"", {{"least us"}, {"least", Align::right, "least_us"}});
  refuse("the key \"a_1\"", {{"a 1"}, {"a/1"}});
  refuse("the key \"99_us\"", {{"99 us"}});
  refuse("the key \"\"", {{"%"}});
  refuse("the key \"medianUs\"", {{"median", Align::right, "medianUs"}});
  refuse("the key \"median us\"", {{"median", Align::right, "median us"}});
  refuse("the key \"_us\"", {{"median", Align::right, "_us"}});
  refuse("the key \"curve\"", {{"curve"}, {"linear", Align::right, "time_ms", "curve"}});
  refuse("the key \"time_ms\"", {{"time ms"}, {"linear", Align::right, "time_ms", "curve"}});
  refuse("the column \"two-stage\"", {{"linear", Align::right, "time_ms", "curve"},
                                      {"two-stage", Align::right, "gain_percent", "curve"}});
}

TEST(Table, IsADocumentWithFormatAndVersion) {
  Table table({{"algorithm", Align::left}});
  table.add({"linear"});
  testing::internal::CaptureStdout();
  print(table, {"shunt-test", 3}, true);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_EQ(text.find("{\n  \"format\": \"shunt-test\",\n  \"version\": 3,\n"), 0U) << text;
  EXPECT_EQ(json::parse(text)["rows"], table.json());
  expect_error(ErrorKind::internal, "shunt-test", [] { print_json({"shunt-test"}, {1, 2}); });
  expect_error(ErrorKind::internal, "shunt-test", [] {
    print_json({"shunt-test"}, {{"version", "0.1"}});
  });
}

}  // namespace
}  // namespace shunt
