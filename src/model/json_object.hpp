// JSON that is read with suspicion: errors name the file, the key and the rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "shunt/types.hpp"

namespace shunt {

/// An object of a JSON file. Every other function than `has` throws Error(file) where the value is
/// missing or is something else. Refers to the value, which must outlive it.
class JsonObject {
 public:
  /// `path` names the file in errors.
  JsonObject(std::string path, const nlohmann::json& object)
      : path_(std::move(path)), object_(object) {}

  [[nodiscard]] bool has(const char* key) const { return object_.contains(key); }
  [[nodiscard]] const nlohmann::json& at(const char* key) const;
  [[nodiscard]] std::string text(const char* key) const;

  /// A finite number from 0 to `most`, of `unit` ("seconds").
  [[nodiscard]] double amount(const char* key, const char* unit,
                              double most = std::numeric_limits<double>::max()) const;

  /// A whole number from `least` to `most`.
  [[nodiscard]] std::int64_t whole(const char* key, std::int64_t least, std::int64_t most) const;
  [[nodiscard]] std::int64_t whole(const nlohmann::json& value, const char* key, std::int64_t least,
                                   std::int64_t most) const;

  /// A list of `what`, at most so many.
  [[nodiscard]] const nlohmann::json& list(const char* key, const char* what,
                                           std::size_t most = SIZE_MAX) const;

  /// `value`, which is an object, found under `key`.
  [[nodiscard]] JsonObject inside(const nlohmann::json& value, const char* key) const;

  /// Throws Error(file): the path, and `sentence`.
  [[noreturn]] void fail(std::string_view sentence) const;

 private:
  std::string path_;
  const nlohmann::json& object_;
};

/// What a JSON file of Shunt's must be.
struct JsonFormat {
  std::string_view name;  ///< what "format" says
  std::int64_t version;   ///< what "version" says
  std::string_view what;  ///< in errors, with its article: "a machine file"
  Bytes longest;          ///< the most bytes of the file
};

/// The object in the file. Throws Error(file) where the file cannot be read, is too long, is no
/// object, or is not of this format and version.
[[nodiscard]] nlohmann::json read_json_file(const std::string& path, const JsonFormat& format);

}  // namespace shunt
