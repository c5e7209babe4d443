#include "model/host_kind.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace shunt {

namespace {

bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }
bool is_hexadecimal(char letter) { return std::isxdigit(static_cast<unsigned char>(letter)) != 0; }

/// As Linux says it; empty where it does not, as on some architectures.
std::string processor_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t begin = line.find_first_not_of(" \t:", line.find(':'));
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

std::string host_name() {
  char name[256] = "";
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace

std::string host_family(std::string_view name) {
  constexpr std::size_t kRandom = 12;
  if (name.size() >= kRandom && std::ranges::all_of(name, is_hexadecimal)) return "";
  std::string family;
  for (const char letter : name) {
    if (!is_digit(letter)) {
      family += letter;
    } else if (!family.ends_with('#')) {
      family += '#';
    }
  }
  return family;
}

std::string printable(std::string text) {
  std::ranges::replace_if(
      text, [](char letter) { return letter < ' ' || letter > '~'; }, '?');
  return text;
}

std::string host_kind() {
  std::string kind = processor_model();
  const auto add = [&kind](const std::string& part) {
    if (!part.empty()) kind += (kind.empty() ? "" : ", ") + part;
  };
  add(fmt::format("{} processors", sysconf(_SC_NPROCESSORS_CONF)));
  add(host_family(host_name()));
  return printable(std::move(kind));
}

}  // namespace shunt
