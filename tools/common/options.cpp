#include "tools/common/options.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "algorithms/canonical_name.hpp"
#include "lab/traffic/number_text.hpp"
#include "model/parse.hpp"
#include "tools/common/command_line.hpp"
#include "tools/common/help_page.hpp"
#include "tools/common/leftovers.hpp"
#include "tools/common/output_file.hpp"

namespace shunt {

namespace {

constexpr int kFoundWrong = 1;

/// What is wrong with a word that is to be a number of at least `least`; empty if nothing is. CLI11
/// would take the nearest that fits.
template <class Number>
std::string fault_of(const std::string& word, Number least) {
  if (!is_whole_number(word)) return fmt::format("Value {} is not a whole number", word);
  const auto number = parse_number<Number>(without_plus(word));
  if (number ? *number < least : word.starts_with('-')) {
    return fmt::format("Value {} is less than {}", word, least);
  }
  constexpr Number kMost = std::numeric_limits<Number>::max();
  return number ? "" : fmt::format("Value {} is more than {}", word, kMost);
}

/// That of an option: one value, perhaps, or several.
template <class Value>
struct ElementOf {
  using Type = Value;
};
template <class Value>
struct ElementOf<std::optional<Value>> {
  using Type = Value;
};
template <class Value>
struct ElementOf<std::vector<Value>> {
  using Type = Value;
};

/// Also without the zeros before it, for which CLI11 would take it as octal.
template <class Number>
CLI::Validator whole_number() {
  return {[](std::string& word) {
            std::string fault = fault_of(word, std::numeric_limits<Number>::min());
            if (fault.empty()) word = std::to_string(*parse_number<Number>(without_plus(word)));
            return fault;
          },
          ""};
}

CLI::Validator at_least(std::int64_t least, const std::string& name) {
  return {[least](const std::string& word) { return fault_of(word, least); }, name};
}

/// As CLI11's own, whose words differ from version to version.
CLI::Validator within(std::int64_t least, std::int64_t most) {
  return {[=](const std::string& word) {
            const auto number = parse_number<std::int64_t>(word);
            const bool fits = number && least <= *number && *number <= most;
            return fits ? "" : fmt::format("Value {} not in range {} to {}", word, least, most);
          },
          fmt::format("INT in [{} - {}]", least, most)};
}

int fail(const Program& program, const std::exception& error) {
  fmt::print(stderr, "{}: {}\n", program.name, error.what());
  return kWrongUse;
}

}  // namespace

Option Option::required() const { return Option(option_->required()); }

Option Option::needs(Option other) const { return Option(option_->needs(other.option_)); }

Option Option::excludes(Option other) const { return Option(option_->excludes(other.option_)); }

Option Option::separated_by(char delimiter) const { return Option(option_->delimiter(delimiter)); }

Option Option::shows_default() const { return Option(option_->capture_default_str()); }

Option Option::default_text(const std::string& text) const {
  return Option(option_->default_str(text));
}

Option Option::between(std::int64_t least, std::int64_t most) const {
  return Option(option_->check(within(least, most)));
}

// Not CLI11's own two, which know the largest number with a fraction, and print all of it.
Option Option::positive() const { return Option(option_->check(at_least(1, "POSITIVE"))); }

Option Option::not_negative() const { return Option(option_->check(at_least(0, "NONNEGATIVE"))); }

Option Option::one_of(const std::vector<std::string>& words) const {
  return Option(option_->check(CLI::IsMember(words)));
}

Option Option::names_algorithms() const {
  return Option(option_->transform(CLI::Validator(
      [](std::string& word) {
        word = canonical_name(word);
        return std::string();
      },
      "")));
}

Command Command::add_subcommand(const std::string& name, const std::string& description) const {
  return Command(app_->add_subcommand(name, description));
}

template <class Value>
Option Command::add_option(const std::string& names, Value& value, const std::string& help) const {
  CLI::Option* const option = app_->add_option(names, value, help);
  using Element = typename ElementOf<Value>::Type;
  if constexpr (std::is_integral_v<Element>) option->transform(whole_number<Element>());
  return Option(option);
}

template Option Command::add_option(const std::string&, std::int32_t&, const std::string&) const;
template Option Command::add_option(const std::string&, std::int64_t&, const std::string&) const;
template Option Command::add_option(const std::string&, std::uint64_t&, const std::string&) const;
template Option Command::add_option(const std::string&, std::string&, const std::string&) const;
template Option Command::add_option(const std::string&, std::optional<std::int32_t>&,
                                    const std::string&) const;
template Option Command::add_option(const std::string&, std::optional<std::int64_t>&,
                                    const std::string&) const;
template Option Command::add_option(const std::string&, std::optional<std::string>&,
                                    const std::string&) const;
template Option Command::add_option(const std::string&, std::vector<std::int32_t>&,
                                    const std::string&) const;
template Option Command::add_option(const std::string&, std::vector<std::int64_t>&,
                                    const std::string&) const;
template Option Command::add_option(const std::string&, std::vector<std::string>&,
                                    const std::string&) const;

Option Command::add_flag(const std::string& name, bool& value, const std::string& help) const {
  return Option(app_->add_flag(name, value, help));
}

Option Command::option(const std::string& name) const { return Option(app_->get_option(name)); }

void Command::set_action(const std::function<void()>& action) const { app_->callback(action); }

// Not by CLI11's function of this name, which would report a mistyped subcommand as a missing one.
void Command::require_subcommand(const std::string& what) const {
  app_->callback([command = *this, what] {
    if (!command.subcommand_chosen()) throw CLI::RequiredError(what);
  });
}

bool Command::subcommand_chosen() const { return !app_->get_subcommands().empty(); }

void Command::keep_rest() const { app_->prefix_command(); }

std::vector<std::string> Command::rest() const {
  std::vector<std::string> words = app_->remaining();
  if (!words.empty() && words.front() == kRestMark) words.erase(words.begin());
  std::ranges::replace(words, kRestMark, "--");
  return words;
}

namespace {

/// Throws where what was printed did not arrive.
int status_of(const Program& program, const std::function<void(Command)>& add_subcommands,
              std::vector<std::string> arguments) {
  CLI::App app(program.description, program.name);
  app.formatter(help_for_page());
  app.set_version_flag("--version", program.version);
  app.failure_message([&](const CLI::App*, const CLI::Error& error) {
    return fmt::format("{}: {}\nRun with --help for more information.\n", program.name,
                       error.what());
  });
  try {
    const Command command(&app);
    command.require_subcommand("a subcommand");
    // After one of them another's name is a word like any other.
    app.require_subcommand(0, 1);
    add_subcommands(command);
    // CLI11 takes the last one first.
    std::ranges::reverse(arguments);
    app.parse(std::move(arguments));
  } catch (const FoundWrong&) {
    return kFoundWrong;
  } catch (const Ended& ended) {
    return ended.status;
  } catch (const CLI::ParseError& error) {
    // Not to std::cout, which does not say why something cannot be printed.
    std::ostringstream output;
    const int status = app.exit(error, output, std::cerr);
    fmt::print("{}", output.str());
    return status == 0 ? 0 : kWrongUse;
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) throw;
    return fail(program, error);
  }
  return 0;
}

}  // namespace

int run_program(const Program& program, const std::function<void(Command)>& add_subcommands,
                std::vector<std::string> arguments) {
  try {
    const int status = status_of(program, add_subcommands, std::move(arguments));
    close_output();
    return status;
  } catch (const std::system_error& error) {
    // As fmt throws it where nothing more can be printed. Where there is nobody to read it, the
    // signal that was held back says so.
    release_signals();
    return fail(program, output_lost(error.code().value()));
  } catch (const std::exception& error) {
    release_signals();
    return fail(program, error);
  }
}

}  // namespace shunt
