#include "model/json_object.hpp"

#include <cmath>

#include <fmt/format.h>

#include "model/input_file.hpp"
#include "shunt/error.hpp"

namespace shunt {

using nlohmann::json;

const json& JsonObject::at(const char* key) const {
  const auto found = object_.find(key);
  if (found == object_.end()) fail(fmt::format("\"{}\" is missing", key));
  return *found;
}

std::string JsonObject::text(const char* key) const {
  if (!at(key).is_string()) fail(fmt::format("\"{}\" must be text", key));
  return at(key).get<std::string>();
}

double JsonObject::amount(const char* key, const char* unit, double most) const {
  const json& value = at(key);
  const double number = value.is_number() ? value.get<double>() : -1;
  if (!(number >= 0) || !std::isfinite(number)) {
    fail(fmt::format("\"{}\" must be a number of {}, 0 or more", key, unit));
  }
  if (number > most) fail(fmt::format("\"{}\" must be at most {} {}", key, most, unit));
  return number;
}

std::int64_t JsonObject::whole(const char* key, std::int64_t least, std::int64_t most) const {
  return whole(at(key), key, least, most);
}

std::int64_t JsonObject::whole(const json& value, const char* key, std::int64_t least,
                               std::int64_t most) const {
  // An unsigned number beyond 63 bits would come out negative.
  const bool fits = value.is_number_integer() &&
                    !(value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX);
  const std::int64_t number = fits ? value.get<std::int64_t>() : 0;
  if (!fits || number < least || number > most) {
    fail(fmt::format("\"{}\" must be a whole number from {} to {}", key, least, most));
  }
  return number;
}

const json& JsonObject::list(const char* key, const char* what, std::size_t most) const {
  if (!at(key).is_array()) fail(fmt::format("\"{}\" must be a list of {}", key, what));
  if (at(key).size() > most) fail(fmt::format("\"{}\" must be a list of at most {}", key, most));
  return at(key);
}

JsonObject JsonObject::inside(const json& value, const char* key) const {
  if (!value.is_object()) fail(fmt::format("\"{}\" must be made of objects", key));
  return {path_, value};
}

void JsonObject::fail(std::string_view sentence) const {
  throw Error(ErrorKind::file, fmt::format("{}: {}", path_, sentence));
}

json read_json_file(const std::string& path, const JsonFormat& format) {
  InputFile file(path);
  if (file.size() > format.longest) {
    file.fail(fmt::format("{} has at most {} bytes", format.what, format.longest));
  }
  json object = json::parse(file.read(0, file.size()), nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) file.fail(fmt::format("{} must be a JSON object", format.what));
  const JsonObject reader(path, object);
  if (reader.text("format") != format.name) {
    file.fail(fmt::format("\"format\" must be \"{}\"", format.name));
  }
  const json& version = reader.at("version");
  if (!version.is_number_integer() || version != format.version) {
    file.fail(fmt::format("\"version\" must be {}", format.version));
  }
  return object;
}

}  // namespace shunt
