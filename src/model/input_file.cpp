#include "model/input_file.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt {

InputFile::InputFile(std::string path) : path_(std::move(path)) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path_, error)) fail("there is no such regular file");
  const auto size = std::filesystem::file_size(path_, error);
  file_.open(path_, std::ios::binary);
  if (error || !file_) fail("the file cannot be read");
  size_ = static_cast<Bytes>(size);
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
