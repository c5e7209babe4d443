#include "lab/traffic/trace_file.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lab/traffic/traffic_sparse.hpp"
#include "lab/traffic/varint.hpp"
#include "model/parse.hpp"
#include "shunt/error.hpp"

namespace shunt {
namespace {

using nlohmann::json;

/// The whole number under `key`, which is from `least` >= 0 to `most`.
std::int64_t integer_in(const InputFile& file, const json& object, const char* key,
                        std::int64_t least, std::int64_t most) {
  const auto found = object.find(key);
  // What needs the 64th bit turns negative here, and what needs more is no integer to the parser.
  const std::int64_t value =
      found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : -1;
  if (value < least || value > most) {
    file.fail(fmt::format("\"{}\" must be a whole number from {} to {}", key, least, most));
  }
  return value;
}

const json& list_in(const InputFile& file, const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array() ||
      !std::ranges::all_of(*found, [](const json& item) { return item.is_object(); })) {
    file.fail(fmt::format("\"{}\" must be a list of objects", key));
  }
  return *found;
}

json parse_header(InputFile& file) {
  std::string line;
  if (!file.next_line(line, trace_format::kLongestHeader)) file.fail("the file is empty");
  json header = json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!header.is_object() || header.value("format", json()) != trace_format::kName) {
    file.fail(fmt::format("the first line must be a JSON object with \"format\":\"{}\"",
                          trace_format::kName));
  }
  return header;
}

double seconds_in(const InputFile& file, const json& object, const char* key) {
  const json seconds = object.value(key, json(0.0));
  if (!seconds.is_number() || !(seconds.get<double>() >= 0)) {
    file.fail(fmt::format("\"{}\" must be a number of 0 or more", key));
  }
  return seconds.get<double>();
}

std::string text_in(const InputFile& file, const json& object, const char* key) {
  const json text = object.value(key, json(""));
  if (!text.is_string()) file.fail(fmt::format("\"{}\" must be a text", key));
  return text.get<std::string>();
}

TraceCall call_from(const InputFile& file, const json& item, std::size_t matrices) {
  TraceCall call;
  const auto last = static_cast<std::int64_t>(matrices) - 1;
  call.matrix = static_cast<std::size_t>(integer_in(file, item, "matrix", 0, last));
  call.repeats = integer_in(file, item, "repeats", 1, INT64_MAX);
  call.seconds = seconds_in(file, item, "seconds");
  call.fastest = seconds_in(file, item, "fastest");
  call.function = text_in(file, item, "function");
  return call;
}

/// Distinct, one for each of `ranks`; none where the key is missing.
std::vector<Rank> world_ranks_in(const InputFile& file, const json& object, Rank ranks) {
  const json list = object.value("world_ranks", json::array());
  const auto is_rank = [](const json& item) {
    return item.is_number_integer() && item >= 0 && item <= INT32_MAX;
  };
  std::vector<Rank> found;
  if (list.is_array() && std::ranges::all_of(list, is_rank)) list.get_to(found);
  std::vector<Rank> sorted = found;
  std::ranges::sort(sorted);
  const bool distinct = std::ranges::adjacent_find(sorted) == sorted.end();
  const bool whole = list == json::array() || std::cmp_equal(found.size(), ranks);
  if (!distinct || !whole) {
    file.fail(fmt::format("\"world_ranks\" must be a list of {} different ranks", ranks));
  }
  return found;
}

/// What stands under `key`; `otherwise` where nothing does.
bool flag_in(const InputFile& file, const json& object, const char* key, bool otherwise) {
  const json flag = object.value(key, json(otherwise));
  if (!flag.is_boolean()) file.fail(fmt::format("\"{}\" must be true or false", key));
  return flag.get<bool>();
}

/// All but matrices and calls.
Trace head_from(const InputFile& file, const json& object) {
  Trace head;
  integer_in(file, object, "version", trace_format::kVersion, trace_format::kAllgatherVersion);
  head.ranks = static_cast<Rank>(integer_in(file, object, "ranks", 1, INT32_MAX));
  head.element_bytes = integer_in(file, object, "element_bytes", 1, INT64_MAX);
  head.communicator = text_in(file, object, "communicator");
  head.world_ranks = world_ranks_in(file, object, head.ranks);
  head.complete = flag_in(file, object, "complete", true);
  return head;
}

SparseRow decode_row(const InputFile& file, Rank ranks, std::string_view& bytes) {
  const auto take = [&](const char* what, std::int64_t least, std::int64_t most) {
    const auto value = take_varint(bytes);
    if (!value || *value < least || *value > most) {
      file.fail(fmt::format("a matrix has a wrong {}, or ends early", what));
    }
    return *value;
  };
  SparseRow row;
  std::int64_t destination = -1;
  for (std::int64_t left = take("number of blocks", 0, ranks); left > 0; --left) {
    destination += 1 + take("gap", 0, ranks - 2 - destination);
    row.push_back({static_cast<Rank>(destination), take("count", 1, INT64_MAX)});
  }
  return row;
}

Bytes decode_block(const InputFile& file, std::string_view& bytes) {
  const auto length = take_varint(bytes);
  if (!length) file.fail("an all-gather has a wrong length of a block, or ends early");
  return *length;
}

/// As a matrix: each rank has its block for every rank. A short file may have many ranks.
std::vector<SparseRow> rows_of(const InputFile& file, const std::vector<Bytes>& blocks) {
  constexpr std::size_t kMostBlocks = std::size_t{1} << 26;
  const std::size_t sources =
      blocks.size() - static_cast<std::size_t>(std::ranges::count(blocks, 0));
  if (sources > kMostBlocks / blocks.size()) {
    file.fail(fmt::format("an all-gather from {} of {} ranks is too large a matrix", sources,
                          blocks.size()));
  }
  std::vector<SparseRow> rows(blocks.size());
  for (std::size_t source = 0; source < blocks.size(); ++source) {
    if (blocks[source] == 0) continue;
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      rows[source].push_back({static_cast<Rank>(k), blocks[source]});
    }
  }
  return rows;
}

void check_trace_row(const SparseRow& row, Rank ranks) {
  Rank before = -1;
  for (const auto& [destination, count] : row) {
    if (destination <= before || destination >= ranks || count < 1) {
      throw Error(ErrorKind::argument,
                  fmt::format("a trace of {} ranks has a block of {} elements to rank {} after one "
                              "to rank {}, but blocks must ascend and must not be empty",
                              ranks, count, destination, before));
    }
    before = destination;
  }
}

void require_of_trace(bool good, const char* rule) {
  if (!good) throw Error(ErrorKind::argument, fmt::format("in a trace {}", rule));
}

/// The count that an all-gather's row has for all ranks.
Bytes block_to_all(const SparseRow& row, Rank ranks) {
  if (row.empty()) return 0;
  const bool to_all =
      std::cmp_equal(row.size(), ranks) && std::ranges::all_of(row, [&](const SparseCount& block) {
        return block.count == row[0].count;
      });
  require_of_trace(to_all, "a row of an all-gather must have the same count for all ranks");
  return row[0].count;
}

}  // namespace

TraceFile::TraceFile(const std::string& path) : file_(path) {
  const json object = parse_header(file_);
  head_ = head_from(file_, object);
  Bytes offset = file_.position();
  for (const json& item : list_in(file_, object, "matrices")) {
    // A row takes one byte at least, so a false number of ranks is found before it costs memory.
    const Bytes length = integer_in(file_, item, "bytes", head_.ranks, INT64_MAX);
    if (length > file_.size() - offset) file_.fail("the file ends before its last matrix");
    if (flag_in(file_, item, "allgather", false)) head_.allgathers.insert(sections_.size());
    sections_.push_back({offset, length});
    offset += length;
  }
  if (offset != file_.size()) file_.fail("the file goes on after its last matrix");
  std::int64_t left = INT64_MAX;
  for (const json& item : list_in(file_, object, "calls")) {
    head_.calls.push_back(call_from(file_, item, sections_.size()));
    if (head_.calls.back().repeats > left) {
      file_.fail("\"repeats\" do not add up to a number of 63 bits");
    }
    left -= head_.calls.back().repeats;
  }
}

std::vector<Bytes> TraceFile::blocks(std::size_t k) {
  const std::string buffer = file_.read(sections_[k].offset, sections_[k].length);
  std::string_view bytes = buffer;
  std::vector<Bytes> blocks;
  for (Rank source = 0; source < head_.ranks; ++source) {
    blocks.push_back(decode_block(file_, bytes));
  }
  if (!bytes.empty()) file_.fail("an all-gather goes on after its last block");
  return blocks;
}

std::vector<SparseRow> TraceFile::matrix(std::size_t k) {
  if (head_.allgathers.contains(k)) return rows_of(file_, blocks(k));
  const std::string buffer = file_.read(sections_[k].offset, sections_[k].length);
  std::string_view bytes = buffer;
  std::vector<SparseRow> rows;
  for (Rank source = 0; source < head_.ranks; ++source) {
    rows.push_back(decode_row(file_, head_.ranks, bytes));
  }
  if (!bytes.empty()) file_.fail("a matrix goes on after its last row");
  return rows;
}

Trace read_trace(const std::string& path) {
  TraceFile file(path);
  Trace trace = file.head();
  for (std::size_t k = 0; k < file.matrices(); ++k) trace.matrices.push_back(file.matrix(k));
  return trace;
}

void record(Trace& trace, std::vector<SparseRow> matrix, double seconds) {
  const auto found = std::ranges::find(trace.matrices, matrix);
  const auto place = static_cast<std::size_t>(found - trace.matrices.begin());
  if (found == trace.matrices.end()) trace.matrices.push_back(std::move(matrix));
  append_call(trace.calls, {place, 1, seconds, 0, ""});
}

void write_trace(const std::string& path, const Trace& trace) {
  std::vector<std::string> codes;
  for (const auto& matrix : trace.matrices) {
    require_of_trace(std::cmp_equal(matrix.size(), trace.ranks),
                     "a matrix must have a row for each rank");
    const bool allgather = trace.allgathers.contains(codes.size());
    std::string& code = codes.emplace_back();
    for (const SparseRow& row : matrix) {
      check_trace_row(row, trace.ranks);
      code += allgather ? block_code(block_to_all(row, trace.ranks)) : row_code(row);
    }
  }
  write_trace(path, trace, codes);
}

bool is_trace_specification(std::string_view specification) {
  return specification.substr(0, specification.rfind('#')).ends_with(kTraceSuffix);
}

TraceMatrix open_trace_matrix(std::string_view specification, Rank ranks) {
  const std::string_view path = specification.substr(0, specification.rfind('#'));
  std::size_t matrix = 0;
  if (path.size() < specification.size()) {
    const auto number = parse_number<std::size_t>(specification.substr(path.size() + 1));
    if (!number) {
      throw Error(ErrorKind::argument,
                  fmt::format("the traffic \"{}\" must have the number of a matrix after its #",
                              specification));
    }
    matrix = *number;
  }
  TraceFile file{std::string(path)};
  if (file.head().ranks != ranks) {
    throw Error(ErrorKind::argument,
                fmt::format("the trace \"{}\" has {} ranks, but {} are asked for", path,
                            file.head().ranks, ranks));
  }
  if (matrix >= file.matrices()) {
    throw Error(ErrorKind::argument,
                fmt::format("the trace \"{}\" has {} matrices, but number {} is asked for (from 0)",
                            path, file.matrices(), matrix));
  }
  return {std::move(file), matrix};
}

std::unique_ptr<Traffic> read_trace_traffic(std::string_view specification, Rank ranks) {
  auto [file, matrix] = open_trace_matrix(specification, ranks);
  return std::make_unique<SparseTraffic>(std::string(specification), file.matrix(matrix));
}

}  // namespace shunt
