// The command line of `shunt`: subcommands, their options, and what they do.
//
// CLI11 parses it, and only options.cpp and help_page.cpp include CLI11, which costs a compiler
// some 5 s and the lint some 20 s in each source.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "shunt/error.hpp"

// NOLINTBEGIN(readability-identifier-naming): the name is theirs.
namespace CLI {
class App;
class Option;
}  // namespace CLI
// NOLINTEND(readability-identifier-naming)

namespace shunt {

/// The error of options that do not go together, or of a value that cannot be; with status 2.
[[nodiscard]] inline Error wrong_choice(const std::string& sentence) {
  return {ErrorKind::argument, sentence};
}

/// An option or argument of a subcommand; what is said of it returns it again.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required() const;
  /// Allows the option only together with `other`.
  Option needs(Option other) const;
  /// Forbids the option together with `other`.
  Option excludes(Option other) const;
  /// Splits a word into several values.
  Option separated_by(char delimiter) const;

  /// Lets --help show the value that its variable has now as the default.
  Option shows_default() const;
  /// Lets --help show `text` as the default.
  Option default_text(const std::string& text) const;

  /// From `least` to `most`, as each value must be that several are given.
  Option between(std::int64_t least, std::int64_t most) const;
  Option positive() const;
  Option not_negative() const;
  Option one_of(const std::vector<std::string>& words) const;
  /// Takes the alias of an algorithm for its name.
  Option names_algorithms() const;

 private:
  CLI::Option* option_;
};

/// What "--" becomes among the arguments of a subcommand that keeps the rest.
inline constexpr const char* kRestMark = " --";

/// The command itself, or one of its subcommands.
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  [[nodiscard]] Command add_subcommand(const std::string& name,
                                       const std::string& description) const;

  /// An option is named as "-n,--ranks", an argument as "file". Sets `value`, which outlives the
  /// command and is of one of the types that options.cpp lists.
  template <class Value>
  Option add_option(const std::string& names, Value& value, const std::string& help) const;
  Option add_flag(const std::string& name, bool& value, const std::string& help) const;

  /// Returns the option that was added as `name`.
  [[nodiscard]] Option option(const std::string& name) const;

  /// Sets what is done once all arguments are read where this subcommand was chosen, also if one of
  /// its own was.
  void set_action(const std::function<void()>& action) const;
  /// Makes it an error to choose none of the subcommands, which `what` names; used instead of
  /// `set_action`.
  void require_subcommand(const std::string& what) const;
  [[nodiscard]] bool subcommand_chosen() const;

  /// Leaves everything from the first word that is no option of its own to `rest`, or what is
  /// behind the mark before that word.
  void keep_rest() const;
  [[nodiscard]] std::vector<std::string> rest() const;

 private:
  CLI::App* app_;
};

/// An action throws this where it did its work and said what is wrong there: exit status 1.
struct FoundWrong : std::exception {};

/// An action throws this where another program did its work: the exit status is that one's.
struct Ended : std::exception {
  explicit Ended(int ended_with) : status(ended_with) {}
  int status;
};

struct Program {
  std::string name;
  std::string description;
  std::string version;  ///< a line, for --version
};

/// Does what `arguments` say, without the program's name, with what `add_subcommands` adds. Returns
/// the exit status: 1 after FoundWrong; 2 after wrong use, where what was printed did not arrive,
/// and after any other exception, which it prints.
[[nodiscard]] int run_program(const Program& program,
                              const std::function<void(Command)>& add_subcommands,
                              std::vector<std::string> arguments);

}  // namespace shunt
