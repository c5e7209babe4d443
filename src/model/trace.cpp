#include "model/trace.hpp"

#include <algorithm>
#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/input_file.hpp"
#include "model/parse.hpp"
#include "model/trace_varint.hpp"
#include "shunt/error.hpp"

namespace shunt {
namespace {

using nlohmann::json;

constexpr std::string_view kFormat = "shunt-trace";
constexpr std::int64_t kVersion = 1;
constexpr std::string_view kSuffix = ".shunt";
constexpr std::size_t kLongestHeader = std::size_t{16} << 20;

/// Where a matrix lies in the file.
struct Section {
  Bytes offset;
  Bytes length;
};

struct Header {
  Trace trace;  ///< without matrices
  std::vector<Section> sections;
};

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
  if (!file.next_line(line, kLongestHeader)) file.fail("the file is empty");
  json header = json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!header.is_object() || header.value("format", json()) != kFormat) {
    file.fail(fmt::format("the first line must be a JSON object with \"format\":\"{}\"", kFormat));
  }
  return header;
}

TraceCall call_from(const InputFile& file, const json& item, std::size_t matrices) {
  TraceCall call;
  const auto last = static_cast<std::int64_t>(matrices) - 1;
  call.matrix = static_cast<std::size_t>(integer_in(file, item, "matrix", 0, last));
  call.repeats = integer_in(file, item, "repeats", 1, INT64_MAX);
  const json seconds = item.value("seconds", json(0.0));
  if (!seconds.is_number() || !(seconds.get<double>() >= 0)) {
    file.fail("\"seconds\" must be a number of 0 or more");
  }
  call.seconds = seconds.get<double>();
  return call;
}

Header read_header(InputFile& file) {
  const json object = parse_header(file);
  Header header;
  integer_in(file, object, "version", kVersion, kVersion);
  header.trace.ranks = static_cast<Rank>(integer_in(file, object, "ranks", 1, INT32_MAX));
  header.trace.element_bytes = integer_in(file, object, "element_bytes", 1, INT64_MAX);
  Bytes offset = file.position();
  for (const json& item : list_in(file, object, "matrices")) {
    // A row takes one byte at least, so a false number of ranks is found before it costs memory.
    const Bytes length = integer_in(file, item, "bytes", header.trace.ranks, INT64_MAX);
    if (length > file.size() - offset) file.fail("the file ends before its last matrix");
    header.sections.push_back({offset, length});
    offset += length;
  }
  if (offset != file.size()) file.fail("the file goes on after its last matrix");
  for (const json& item : list_in(file, object, "calls")) {
    header.trace.calls.push_back(call_from(file, item, header.sections.size()));
  }
  return header;
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

std::vector<SparseRow> read_matrix(InputFile& file, Rank ranks, const Section& section) {
  const std::string buffer = file.read(section.offset, section.length);
  std::string_view bytes = buffer;
  std::vector<SparseRow> rows;
  for (Rank source = 0; source < ranks; ++source) rows.push_back(decode_row(file, ranks, bytes));
  if (!bytes.empty()) file.fail("a matrix goes on after its last row");
  return rows;
}

std::string encode_matrix(const std::vector<SparseRow>& rows) {
  std::string bytes;
  for (const SparseRow& row : rows) {
    put_varint(static_cast<std::int64_t>(row.size()), bytes);
    Rank before = -1;
    for (const SparseCount& block : row) {
      put_varint(block.destination - before - 1, bytes);
      put_varint(block.count, bytes);
      before = block.destination;
    }
  }
  return bytes;
}

void check_row(const SparseRow& row, Rank ranks) {
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

void check(const Trace& trace) {
  const auto require = [](bool good, const char* rule) {
    if (!good) throw Error(ErrorKind::argument, fmt::format("in a trace {}", rule));
  };
  require(trace.ranks >= 1, "the number of ranks must be 1 or more");
  require(trace.element_bytes >= 1, "the bytes of an element must be 1 or more");
  for (const auto& matrix : trace.matrices) {
    require(std::cmp_equal(matrix.size(), trace.ranks), "a matrix must have a row for each rank");
    for (const SparseRow& row : matrix) check_row(row, trace.ranks);
  }
  for (const TraceCall& call : trace.calls) {
    require(call.matrix < trace.matrices.size(), "a call must name one of the matrices");
    require(call.repeats >= 1, "a call must be repeated once or more");
    require(call.seconds >= 0, "the seconds of a call must be 0 or more");
  }
}

}  // namespace

void Trace::record(std::vector<SparseRow> matrix, double seconds) {
  const auto found = std::ranges::find(matrices, matrix);
  const auto place = static_cast<std::size_t>(found - matrices.begin());
  if (found == matrices.end()) matrices.push_back(std::move(matrix));
  if (calls.empty() || calls.back().matrix != place) calls.push_back({place, 0, 0});
  ++calls.back().repeats;
  calls.back().seconds += seconds;
}

Trace read_trace(const std::string& path) {
  InputFile file(path);
  Header header = read_header(file);
  for (const Section& section : header.sections) {
    header.trace.matrices.push_back(read_matrix(file, header.trace.ranks, section));
  }
  return std::move(header.trace);
}

void write_trace(const std::string& path, const Trace& trace) {
  check(trace);
  nlohmann::ordered_json header{{"format", kFormat},
                                {"version", kVersion},
                                {"ranks", trace.ranks},
                                {"element_bytes", trace.element_bytes}};
  std::string body;
  header["matrices"] = json::array();
  for (const auto& matrix : trace.matrices) {
    const std::string bytes = encode_matrix(matrix);
    header["matrices"].push_back({{"bytes", bytes.size()}});
    body += bytes;
  }
  header["calls"] = json::array();
  for (const TraceCall& call : trace.calls) {
    header["calls"].push_back(
        {{"matrix", call.matrix}, {"repeats", call.repeats}, {"seconds", call.seconds}});
  }
  std::ofstream file(path, std::ios::binary);
  file << header.dump() << '\n' << body;
  file.close();
  if (!file) throw Error(ErrorKind::file, fmt::format("{}: the file cannot be written", path));
}

bool is_trace_specification(std::string_view specification) {
  return specification.substr(0, specification.rfind('#')).ends_with(kSuffix);
}

std::unique_ptr<Traffic> read_trace_traffic(std::string_view specification, Rank ranks) {
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
  InputFile file{std::string(path)};
  const Header header = read_header(file);
  if (header.trace.ranks != ranks) {
    throw Error(ErrorKind::argument,
                fmt::format("the trace \"{}\" has {} ranks, but {} are asked for", path,
                            header.trace.ranks, ranks));
  }
  if (matrix >= header.sections.size()) {
    throw Error(ErrorKind::argument,
                fmt::format("the trace \"{}\" has {} matrices, but number {} is asked for (from 0)",
                            path, header.sections.size(), matrix));
  }
  return std::make_unique<SparseTraffic>(std::string(specification),
                                         read_matrix(file, ranks, header.sections[matrix]));
}

}  // namespace shunt
