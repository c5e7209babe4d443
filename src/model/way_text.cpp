#include "model/way_text.hpp"

#include <limits>
#include <optional>

#include <fmt/format.h>

#include "model/parse.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

[[noreturn]] void fail_to_read(std::string_view text, std::string_view word) {
  throw Error(
      ErrorKind::argument,
      fmt::format("\"{}\" is no way to make an exchange: \"{}\" is not understood", text, word));
}

/// Takes one word of a way, "key=value"; false where it is not understood.
bool take_setting(std::string_view word, Options& way) {
  const std::string_view key = take_until('=', word);
  if (key == "mode") {
    for (const Mode mode : {Mode::blocking, Mode::single_buffer, Mode::dual_buffer}) {
      if (word != name_of(mode)) continue;
      way.mode = mode;
      return true;
    }
    return false;
  }
  if (key == "shared") {
    way.shared_memory = word != "no";
    way.single_copy = word == "once";
    return word == "yes" || word == "no" || word == "once";
  }
  const Bytes number = parse_number<Bytes>(word).value_or(0);
  if (number < 1) return false;
  if (key == "grain") {
    way.grain = number;
  } else if (key == "packet") {
    way.packet = number;
  } else if (key == "messages" && number <= std::numeric_limits<int>::max()) {
    way.window.messages = static_cast<int>(number);
  } else {
    return false;
  }
  return true;
}

/// The word after "shared=".
const char* shared_word(const Options& way) {
  if (!way.shared_memory) return "no";
  return way.single_copy ? "once" : "yes";
}

}  // namespace

std::string way_text(const Options& way, const Options& asked) {
  std::string text = way.algorithm;
  if (way.mode != asked.mode) text += fmt::format(" mode={}", name_of(way.mode));
  if (way.grain != asked.grain) text += fmt::format(" grain={}", way.grain);
  if (way.packet != asked.packet) text += fmt::format(" packet={}", way.packet);
  if (way.window.messages != asked.window.messages) {
    text += fmt::format(" messages={}", way.window.messages);
  }
  const std::string_view shared = shared_word(way);
  if (shared != shared_word(asked)) text += fmt::format(" shared={}", shared);
  return text;
}

Options read_way(std::string_view text, const Options& asked) {
  Options way = asked;
  std::string_view rest = text;
  way.algorithm = take_word(rest);
  if (way.algorithm.empty()) fail_to_read(text, "");
  while (!rest.empty()) {
    const std::string_view word = take_word(rest);
    if (!take_setting(word, way)) fail_to_read(text, word);
  }
  return way;
}

std::string options_text(const Options& options) {
  constexpr Window kUsual;
  std::string text = fmt::format("{}, grain {}", name_of(options.mode), options.grain);
  if (options.packet > 0) text += fmt::format(", packet {}", options.packet);
  if (!options.shared_memory) text += ", no shared memory";
  if (options.shared_memory && options.single_copy) text += ", single copies";
  if (options.memory > 0) text += fmt::format(", memory {}", options.memory);
  const Window& window = options.window;
  if (window.messages != kUsual.messages || window.bytes != kUsual.bytes) {
    text += fmt::format(", window {} of {} bytes", window.messages, window.bytes);
  }
  return text;
}

}  // namespace shunt
