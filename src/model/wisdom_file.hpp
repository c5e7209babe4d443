// Wisdom from one program to the next: a file "shunt-wisdom" (docs/formats.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "model/json_object.hpp"
#include "model/wisdom.hpp"

namespace shunt {

inline constexpr JsonFormat kWisdomFormat{"shunt-wisdom", 1, "a wisdom file", Bytes{16} << 20};

/// The most entries that a file has: the newest.
inline constexpr std::size_t kMostWisdom = 4096;

/// Returns the path of the file: what SHUNT_WISDOM says, or wisdom.json in `user_directory`;
/// nothing where SHUNT_WISDOM is "none" or there is no such folder.
[[nodiscard]] std::optional<std::filesystem::path> wisdom_file();

/// Nothing is known where there is no such file. Throws Error(file) where it cannot be read, or is
/// anything else.
[[nodiscard]] Wisdom read_wisdom(const std::filesystem::path& path);

/// Adds `learned` to what the file knows, whatever others add at the same time. What others found
/// within ten minutes stays, as found at once, unless `learned` corrects what was known before. A
/// file that began as one of wisdom but is damaged, or is empty, is put aside as PATH.bad: the
/// sentence that says so is returned, which is empty otherwise. Throws Error(file) where the file
/// is something else, or of a later version, and so must not be replaced; or where nothing can be
/// written.
std::string save_wisdom(const std::filesystem::path& path, const Wisdom& learned,
                        bool corrects = false);

/// Removes the file. Returns how many entries it had; throws Error(file) as `save_wisdom`.
std::size_t forget_wisdom(const std::filesystem::path& path);

/// An entry with its key, as in the file.
[[nodiscard]] nlohmann::ordered_json row_json(const WisdomKey& key, const WisdomEntry& entry);

/// Converts an entry to JSON, without its key, and back. `entry_of` throws as JsonObject does.
[[nodiscard]] nlohmann::ordered_json entry_json(const WisdomEntry& entry);
[[nodiscard]] WisdomEntry entry_of(const JsonObject& object);

}  // namespace shunt
