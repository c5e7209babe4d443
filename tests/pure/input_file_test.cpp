#include "model/input_file.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lab/traffic/graph.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_file.hpp"

namespace shunt {
namespace {

using test::expect_error;
using test::TemporaryFile;

std::vector<std::string> lines_of(const std::string& text) {
  const TemporaryFile kept(".text", text);
  InputFile file(kept.path());
  std::vector<std::string> lines;
  for (std::string line; file.next_line(line, 1000);) lines.push_back(line);
  EXPECT_EQ(file.position(), file.size());
  return lines;
}

void refuse_beginning(std::string_view text, const std::string& words) {
  const TemporaryFile kept(".text", text);
  expect_error(ErrorKind::file, kept.path() + ": " + words, [&] { InputFile file(kept.path()); });
}

TEST(InputFile, LinesEndAsOnAnySystem) {
  const std::vector<std::string> lines{"a", "", "b c"};
  EXPECT_EQ(lines_of("a\n\nb c\n"), lines);
  EXPECT_EQ(lines_of("a\r\n\r\nb c"), lines);
  EXPECT_EQ(lines_of(""), std::vector<std::string>{});
}

TEST(InputFile, AByteOrderMarkIsNoPartOfTheText) {
  EXPECT_EQ(lines_of("\xef\xbb\xbf"
                     "a\nb"),
            (std::vector<std::string>{"a", "b"}));
  const TemporaryFile kept(".text",
                           "\xef\xbb\xbf"
                           "abc");
  InputFile file(kept.path());
  EXPECT_EQ(file.read(3, 3), "abc");
}

TEST(InputFile, LongFilesAreReadFromTheirBeginning) {
  std::string text;
  std::vector<std::string> lines;
  for (int k = 0; k < 500; ++k) {
    lines.push_back("line " + std::to_string(k));
    text += lines.back() + "\n";
  }
  EXPECT_EQ(lines_of(text), lines);
}

TEST(InputFile, OtherKindsOfFilesAreNamed) {
  refuse_beginning("\x1f\x8b\x08", "the file is compressed by gzip; unpack it first");
  refuse_beginning("BZh91AY", "the file is compressed by bzip2");
  refuse_beginning(std::string_view("\xfd\x37zXZ\0", 6), "the file is compressed by xz");
  refuse_beginning("\x28\xb5\x2f\xfd", "the file is compressed by zstd");
  refuse_beginning("PK\x03\x04", "the file is a zip archive");
  refuse_beginning(std::string_view("\xff\xfe%\0", 4), "the file is text in UTF-16");
  refuse_beginning(std::string_view("\xfe\xff\0%", 4), "the file is text in UTF-16");
  for (const std::string page :
       {"<!DOCTYPE html>", "\r\n\n <html lang=\"en\">", "\xef\xbb\xbf<HTML>"}) {
    refuse_beginning(page, "the file is a web page (HTML)");
  }
}

TEST(InputFile, EveryReaderSaysSo) {
  const TemporaryFile kept(".graph", "\n<!doctype html>\n");
  expect_error(ErrorKind::file, "a web page", [&] { (void)read_graph(kept.path()); });
}

}  // namespace
}  // namespace shunt
