#include "model/input_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "model/parse.hpp"
#include "shunt/error.hpp"

namespace shunt {
namespace {

constexpr std::string_view kWebPage =
    "the file is a web page (HTML), and not what was to be fetched from there";
constexpr std::string_view kWideText = "the file is text in UTF-16, but must be in UTF-8";

/// How files begin that people have in the place of the text that is asked for.
struct OtherKind {
  std::string_view beginning;
  std::string_view sentence;
};

constexpr std::array<OtherKind, 9> kOtherKinds{
    {{"\x1f\x8b", "the file is compressed by gzip; unpack it first"},
     {"BZh", "the file is compressed by bzip2; unpack it first"},
     {"\xfd\x37zXZ", "the file is compressed by xz; unpack it first"},
     {"\x28\xb5\x2f\xfd", "the file is compressed by zstd; unpack it first"},
     {"PK\x03\x04", "the file is a zip archive; unpack it first"},
     {"\xff\xfe", kWideText},
     {"\xfe\xff", kWideText},
     {"<!doctype", kWebPage},
     {"<html", kWebPage}}};

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool begins_with(std::string_view text, std::string_view beginning) {
  return std::ranges::equal(text.substr(0, beginning.size()), beginning, {}, to_lower, to_lower);
}

}  // namespace

InputFile::InputFile(std::string path) : path_(std::move(path)) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path_, error)) fail("there is no such regular file");
  const auto size = std::filesystem::file_size(path_, error);
  file_.open(path_, std::ios::binary);
  if (error || !file_) fail("the file cannot be read");
  size_ = static_cast<Bytes>(size);
  check_beginning();
}

void InputFile::check_beginning() {
  std::array<char, 256> buffer{};
  file_.read(buffer.data(), std::ssize(buffer));
  std::string_view text(buffer.data(), static_cast<std::size_t>(file_.gcount()));
  file_.clear();
  if (text.starts_with(kByteOrderMark)) {
    position_ = std::ssize(kByteOrderMark);
    text.remove_prefix(kByteOrderMark.size());
  }
  file_.seekg(position_);
  // Servers put blank lines before a page.
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  for (const OtherKind& kind : kOtherKinds) {
    if (begins_with(text, kind.beginning)) fail(kind.sentence);
  }
}

bool InputFile::next_line(std::string& line, std::size_t longest) {
  constexpr int kEnd = std::ifstream::traits_type::eof();
  line.clear();
  int next = file_.rdbuf()->sbumpc();
  if (next == kEnd) return false;
  ++line_;
  for (; next != kEnd && next != '\n'; next = file_.rdbuf()->sbumpc()) {
    if (line.size() == longest) fail(fmt::format("the line exceeds {} characters", longest));
    line.push_back(static_cast<char>(next));
  }
  position_ += static_cast<Bytes>(line.size()) + (next == '\n' ? 1 : 0);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return true;
}

std::string InputFile::read(Bytes offset, Bytes length) {
  // The check comes first, so that a false length allocates nothing.
  if (offset < 0 || length < 0 || offset > size_ || length > size_ - offset) {
    fail("the file ends early");
  }
  std::string bytes(static_cast<std::size_t>(length), '\0');
  line_ = 0;  // what is read by offset has no lines to name
  file_.seekg(offset);
  file_.read(bytes.data(), length);
  if (file_.gcount() != length) fail("the file ends early");
  return bytes;
}

void InputFile::fail(std::string_view sentence) const {
  const std::string place = line_ > 0 ? fmt::format("{}:{}", path_, line_) : path_;
  throw Error(ErrorKind::file, fmt::format("{}: {}", place, sentence));
}

}  // namespace shunt
