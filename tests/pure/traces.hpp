// What tests of trace files share.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include "lab/traffic/trace_file.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_file.hpp"

namespace shunt::test {

inline Trace empty_trace(Rank ranks, Bytes element_bytes) {
  Trace trace;
  trace.ranks = ranks;
  trace.element_bytes = element_bytes;
  return trace;
}

inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A file of this content is refused with these words.
inline void refuse_trace(const std::string& content, const std::string& words) {
  const TemporaryFile file(".shunt", content);
  expect_error(ErrorKind::file, words, [&] { (void)read_trace(file.path()); });
}

}  // namespace shunt::test
