#include "model/trace.hpp"

#include <algorithm>
#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/size_signal.hpp"
#include "shunt/error.hpp"

namespace shunt {
namespace {

using nlohmann::ordered_json;

void require(bool good, const char* rule) {
  if (!good) throw Error(ErrorKind::argument, fmt::format("in a trace {}", rule));
}

void check_head(const Trace& head, std::size_t matrices) {
  require(head.ranks >= 1, "the number of ranks must be 1 or more");
  require(head.element_bytes >= 1, "the bytes of an element must be 1 or more");
  require(head.world_ranks.empty() || std::cmp_equal(head.world_ranks.size(), head.ranks),
          "there must be one rank in the world for each rank");
  require(head.allgathers.empty() || *head.allgathers.rbegin() < matrices,
          "an all-gather must be one of the matrices");
  for (const TraceCall& call : head.calls) {
    require(call.matrix < matrices, "a call must name one of the matrices");
    require(call.repeats >= 1, "a call must be repeated once or more");
    require(call.seconds >= 0 && call.fastest >= 0, "the seconds of a call must be 0 or more");
  }
}

ordered_json to_json(const TraceCall& call) {
  ordered_json object{
      {"matrix", call.matrix}, {"repeats", call.repeats}, {"seconds", call.seconds}};
  if (call.fastest > 0) object["fastest"] = call.fastest;
  if (!call.function.empty()) object["function"] = call.function;
  return object;
}

ordered_json header_of(const Trace& head, std::span<const std::string> codes) {
  ordered_json header{{"format", trace_format::kName},
                      {"version", head.allgathers.empty() ? trace_format::kVersion
                                                          : trace_format::kAllgatherVersion},
                      {"ranks", head.ranks},
                      {"element_bytes", head.element_bytes}};
  if (!head.communicator.empty()) header["communicator"] = head.communicator;
  if (!head.world_ranks.empty()) header["world_ranks"] = head.world_ranks;
  if (!head.complete) header["complete"] = false;
  header["matrices"] = ordered_json::array();
  for (std::size_t k = 0; k < codes.size(); ++k) {
    ordered_json& matrix = header["matrices"].emplace_back();
    matrix["bytes"] = codes[k].size();
    if (head.allgathers.contains(k)) matrix["allgather"] = true;
  }
  header["calls"] = ordered_json::array();
  for (const TraceCall& call : head.calls) header["calls"].push_back(to_json(call));
  return header;
}

/// Appends `value` >= 0 by LEB128: seven bits to a byte, the lowest first.
void put_varint(std::int64_t value, std::string& bytes) {
  auto rest = static_cast<std::uint64_t>(value);
  for (; rest >= 0x80; rest >>= 7) bytes.push_back(static_cast<char>(rest | 0x80));
  bytes.push_back(static_cast<char>(rest));
}

}  // namespace

void append_call(std::vector<TraceCall>& calls, const TraceCall& call) {
  if (calls.empty() || calls.back().matrix != call.matrix ||
      calls.back().function != call.function) {
    calls.push_back(call);
    return;
  }
  calls.back().repeats += call.repeats;
  calls.back().seconds += call.seconds;
  calls.back().fastest += call.fastest;
}

std::string row_code(const SparseRow& row) {
  std::string bytes;
  put_varint(static_cast<std::int64_t>(row.size()), bytes);
  Rank before = -1;
  for (const SparseCount& block : row) {
    put_varint(block.destination - before - 1, bytes);
    put_varint(block.count, bytes);
    before = block.destination;
  }
  return bytes;
}

std::string block_code(Bytes length) {
  std::string bytes;
  put_varint(length, bytes);
  return bytes;
}

void write_trace(const std::string& path, const Trace& head, std::span<const std::string> codes) {
  check_head(head, codes.size());
  // A name that is no UTF-8 is not worth a trace.
  const std::string line =
      header_of(head, codes).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  if (line.size() > trace_format::kLongestHeader) {
    throw Error(ErrorKind::file, fmt::format("{}: the first line would have {} bytes, but {} are "
                                             "the most",
                                             path, line.size(), trace_format::kLongestHeader));
  }
  const NoSizeSignal until_then;
  std::ofstream file(path, std::ios::binary);
  file << line << '\n';
  for (const std::string& code : codes) file << code;
  file.close();
  if (!file) throw Error(ErrorKind::file, fmt::format("{}: the file cannot be written", path));
}

}  // namespace shunt
