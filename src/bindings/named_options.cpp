#include "bindings/named_options.hpp"

#include <string>

#include <fmt/format.h>

#include "algorithms/canonical_name.hpp"
#include "shunt/error.hpp"
#include "shunt/types.hpp"

namespace shunt {

namespace {

void expect_at_least(Bytes least, Bytes value, const char* what, const char* rule) {
  if (value >= least) return;
  throw Error(ErrorKind::argument, fmt::format("{} is {}; it is {}", what, value, rule));
}

void expect_options(const Options& options) {
  expect_at_least(1, options.grain, "the grain", "a number of bytes, at least 1");
  expect_at_least(0, options.packet, "the packet",
                  "a number of bytes, or 0 where messages are not cut");
  expect_at_least(0, options.window.messages, "the window's number of messages", "at least 0");
  expect_at_least(0, options.window.bytes, "the window's number of bytes", "at least 0");
  expect_at_least(0, options.memory, "the memory limit",
                  "a number of bytes, or 0 where there is none");
  if (*name_of(options.mode) == '\0') {
    throw Error(ErrorKind::argument, fmt::format("the mode is {}, which is none of Mode's",
                                                 static_cast<int>(options.mode)));
  }
  if (*name_of(options.effort) == '\0') {
    throw Error(ErrorKind::argument, fmt::format("the effort is {}, which is none of Effort's",
                                                 static_cast<int>(options.effort)));
  }
}

/// `has_alias`. Programs ask for one algorithm again and again, and looking for aliases took
/// 7 % of the instructions of a short call.
bool begins_with_alias(const std::string& name) {
  static thread_local std::string last_without;
  if (name == last_without) return false;
  if (has_alias(name)) return true;
  last_without = name;
  return false;
}

}  // namespace

NamedOptions::NamedOptions(const Options& asked) : asked_(asked) {
  expect_options(asked);
  if (!begins_with_alias(asked.algorithm)) return;
  named_ = asked;
  named_->algorithm = canonical_name(asked.algorithm);
}

}  // namespace shunt
