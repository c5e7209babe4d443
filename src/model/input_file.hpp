// A file that is read with suspicion: bounded lines, and errors that name the place.
#pragma once

#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>

#include "shunt/types.hpp"

namespace shunt {

class InputFile {
 public:
  /// Throws Error(file) unless `path` is a regular file that can be read, and where its beginning
  /// shows that it is compressed, a web page, or not text in UTF-8. A byte order mark is left out.
  explicit InputFile(std::string path);

  /// Reads a line without its end ("\n" or "\r\n"); false at the end of the file. Throws
  /// Error(file) where the line has more than `longest` characters.
  [[nodiscard]] bool next_line(std::string& line, std::size_t longest);

  /// Reads exactly `length` bytes from `offset` on.
  [[nodiscard]] std::string read(Bytes offset, Bytes length);

  /// Bytes of the file, and bytes consumed by next_line.
  [[nodiscard]] Bytes size() const { return size_; }
  [[nodiscard]] Bytes position() const { return position_; }

  /// Throws Error(file): the path, the current line if there is one, and `sentence`.
  [[noreturn]] void fail(std::string_view sentence) const;

 private:
  void check_beginning();

  std::string path_;
  std::ifstream file_;
  Bytes size_ = 0;
  Bytes position_ = 0;
  Bytes line_ = 0;
};

}  // namespace shunt
