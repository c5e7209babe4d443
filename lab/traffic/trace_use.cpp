#include "lab/traffic/trace_use.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "lab/traffic/traffic_sparse.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

Error too_large() { return {ErrorKind::count, "the bytes of a matrix exceed 64 bits"}; }

}  // namespace

std::vector<MatrixUse> uses_of(const Trace& head, std::size_t matrices) {
  std::vector<MatrixUse> uses(matrices);
  for (const TraceCall& call : head.calls) {
    MatrixUse& use = uses[call.matrix];
    use.calls += call.repeats;
    use.seconds += call.seconds;
    use.fastest += call.fastest;
    if (!call.function.empty()) use.functions.insert(call.function);
  }
  return uses;
}

MatrixShape shape_of(const std::vector<SparseRow>& matrix, Bytes element) {
  const Loads loads = loads_of(SparseTraffic("", matrix), element);
  MatrixShape shape;
  shape.longest_block = loads.longest_block;
  // Each of them fits; so many of them may not.
  for (const Bytes load : loads.out) {
    if (load > INT64_MAX - shape.bytes) {
      throw too_large();
    }
    shape.bytes += load;
  }
  std::size_t blocks = 0;
  for (const SparseRow& row : matrix) blocks += row.size();
  const auto ranks = static_cast<double>(matrix.size());
  shape.filled = static_cast<double>(blocks) / (ranks * ranks);
  if (shape.bytes == 0) return shape;
  const Bytes most = std::max(std::ranges::max(loads.out), std::ranges::max(loads.in));
  shape.imbalance = static_cast<double>(most) * ranks / static_cast<double>(shape.bytes);
  return shape;
}

MatrixShape shape_of(const Sources& sources) {
  MatrixShape shape;
  if (sources.count() == 0) return shape;
  shape.longest_block = sources.length(sources.longest());
  if (sources.total() > INT64_MAX / sources.ranks()) throw too_large();
  shape.bytes = sources.total() * sources.ranks();
  const double ranks = sources.ranks();
  shape.filled = sources.count() / ranks;
  // Every rank receives as much; the one with the longest block may send more.
  const double longest = static_cast<double>(shape.longest_block) * ranks;
  shape.imbalance = std::max(1.0, longest / static_cast<double>(sources.total()));
  return shape;
}

MatrixShape shape_of(TraceFile& file, std::size_t k) {
  if (file.head().allgathers.contains(k)) return shape_of(sources_of(file, k));
  return shape_of(file.matrix(k), file.head().element_bytes);
}

Sources sources_of(TraceFile& file, std::size_t k) {
  std::vector<Bytes> blocks = file.blocks(k);
  for (Bytes& block : blocks) {
    if (block > INT64_MAX / file.head().element_bytes) throw too_large();
    block *= file.head().element_bytes;
  }
  return Sources(std::move(blocks));
}

Sources read_trace_sources(std::string_view specification, Rank ranks) {
  auto [file, matrix] = open_trace_matrix(specification, ranks);
  if (!file.head().allgathers.contains(matrix)) {
    throw Error(
        ErrorKind::argument,
        fmt::format("\"{}\" is an exchange, but an all-gather is asked for", specification));
  }
  return sources_of(file, matrix);
}

std::vector<std::string> trace_paths(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return {path};
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
    if (entry.path().extension() == kTraceSuffix) paths.push_back(entry.path());
  }
  if (error) throw Error(ErrorKind::file, fmt::format("{}: {}", path, error.message()));
  if (paths.empty()) {
    throw Error(ErrorKind::file,
                fmt::format("{}: there is no trace ({}) in this folder", path, kTraceSuffix));
  }
  // Shorter names first: comm-0-2 before comm-0-10.
  std::ranges::sort(paths, [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return paths;
}

}  // namespace shunt
