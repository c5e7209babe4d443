#include "model/configuration.hpp"

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

/// Takes one word of a configuration, "key=value"; false where it is not understood.
bool take_setting(std::string_view word, Configuration& into) {
  const std::string_view key = take_until('=', word);
  if (key == "mode") {
    for (const Mode mode : {Mode::blocking, Mode::single_buffer, Mode::dual_buffer}) {
      if (word != name_of(mode)) continue;
      into.mode = mode;
      return true;
    }
    return false;
  }
  if (key == "shared") {
    into.shared_memory = word != "no";
    into.single_copy = word == "once";
    return word == "yes" || word == "no" || word == "once";
  }
  const Bytes number = parse_number<Bytes>(word).value_or(0);
  if (number < 1) return false;
  if (key == "grain") {
    into.grain = number;
  } else if (key == "packet") {
    into.packet = number;
  } else if (key == "messages" && number <= std::numeric_limits<int>::max()) {
    into.window.messages = static_cast<int>(number);
  } else {
    return false;
  }
  return true;
}

/// The word after "shared=".
const char* shared_word(const Options& options) {
  if (!options.shared_memory) return "no";
  return options.single_copy ? "once" : "yes";
}

}  // namespace

Configuration with_algorithm(std::string_view algorithm, const Options& asked) {
  Configuration configuration = asked;
  configuration.algorithm = algorithm;
  return configuration;
}

std::vector<Configuration> with_algorithms(const std::vector<std::string>& algorithms,
                                           const Options& asked) {
  std::vector<Configuration> configurations;
  for (const std::string& algorithm : algorithms) {
    configurations.push_back(with_algorithm(algorithm, asked));
  }
  return configurations;
}

std::string configuration_text(const Configuration& configuration, const Options& asked) {
  std::string text = configuration.algorithm;
  if (configuration.mode != asked.mode)
    text += fmt::format(" mode={}", name_of(configuration.mode));
  if (configuration.grain != asked.grain) text += fmt::format(" grain={}", configuration.grain);
  if (configuration.packet != asked.packet) text += fmt::format(" packet={}", configuration.packet);
  if (configuration.window.messages != asked.window.messages) {
    text += fmt::format(" messages={}", configuration.window.messages);
  }
  const std::string_view shared = shared_word(configuration);
  if (shared != shared_word(asked)) text += fmt::format(" shared={}", shared);
  return text;
}

Configuration read_configuration(std::string_view text, const Options& asked) {
  Configuration configuration = asked;
  std::string_view rest = text;
  configuration.algorithm = take_word(rest);
  if (configuration.algorithm.empty()) fail_to_read(text, "");
  while (!rest.empty()) {
    const std::string_view word = take_word(rest);
    if (!take_setting(word, configuration)) fail_to_read(text, word);
  }
  return configuration;
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
