#include "bindings/type_runs.hpp"

#include <climits>
#include <span>

#include "bindings/packing.hpp"
#include "exchange/mpi_call.hpp"

namespace shunt {

void RunList::add(const Run& run) {
  if (run.length == 0 || too_many_) return;
  if (!runs_.empty() && runs_.back().offset + runs_.back().length == run.offset) {
    runs_.back().length += run.length;
    return;
  }
  too_many_ = runs_.size() == kMost;
  if (!too_many_) runs_.push_back(run);
}

void RunList::add_copies(const RunList& runs, Bytes count, Bytes offset, Bytes stride) {
  if (runs.too_many_) too_many_ = true;
  if (runs.runs_.empty()) return;
  // Without this, a long array would be added element by element.
  if (runs.runs_.size() == 1 && runs.runs_[0].length == stride) {
    add({runs.runs_[0].offset + offset, stride * count});
    return;
  }
  for (Bytes i = 0; i < count && !too_many_; ++i) {
    for (const Run& run : runs.runs_) add({run.offset + offset + i * stride, run.length});
  }
}

namespace {

/// The numbers of what a datatype was made of. None of a predefined one, and none where MPI has
/// large counts to tell, of which its old calls would only report an error.
struct Envelope {
  explicit Envelope(MPI_Datatype type) {
#if MPI_VERSION >= 4
    MPI_Count large[4] = {0, 0, 0, 0};
    check_mpi(MPI_Type_get_envelope_c(type, &large[0], &large[1], &large[2], &large[3], &combiner),
              "MPI_Type_get_envelope_c");
    predefined = large[3] == 0;
    if (large[2] > 0) return;
#endif
    check_mpi(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner),
              "MPI_Type_get_envelope");
    predefined = types == 0;
  }

  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = MPI_COMBINER_NAMED;
  bool predefined = true;
};

/// How a derived datatype was made, in MPI's own terms. The types are freed with it.
class TypeContents {
 public:
  explicit TypeContents(MPI_Datatype type) {
    const Envelope envelope(type);
    if (envelope.types == 0) return;
    combiner_ = envelope.combiner;
    integers_.resize(static_cast<std::size_t>(envelope.integers));
    addresses_.resize(static_cast<std::size_t>(envelope.addresses));
    std::vector<MPI_Datatype> types(static_cast<std::size_t>(envelope.types));
    check_mpi(MPI_Type_get_contents(type, envelope.integers, envelope.addresses, envelope.types,
                                    integers_.data(), addresses_.data(), types.data()),
              "MPI_Type_get_contents");
    types_ = std::move(types);
  }
  TypeContents(const TypeContents&) = delete;
  TypeContents& operator=(const TypeContents&) = delete;
  ~TypeContents() {
    for (MPI_Datatype& type : types_) {
      if (!Envelope(type).predefined) MPI_Type_free(&type);
    }
  }

  /// Whether nothing is known of how the type was made.
  [[nodiscard]] bool is_leaf() const { return types_.empty(); }
  [[nodiscard]] int combiner() const { return combiner_; }
  [[nodiscard]] std::span<const MPI_Datatype> types() const { return types_; }
  [[nodiscard]] Bytes integer(std::size_t i) const { return integers_[i]; }
  [[nodiscard]] Bytes address(std::size_t i) const { return addresses_[i]; }

 private:
  int combiner_ = MPI_COMBINER_NAMED;
  std::vector<int> integers_;
  std::vector<MPI_Aint> addresses_;
  std::vector<MPI_Datatype> types_;
};

Bytes extent_of(MPI_Datatype type) {
  MPI_Count bound = 0;
  MPI_Count extent = 0;
  check_mpi(MPI_Type_get_extent_x(type, &bound, &extent), "MPI_Type_get_extent_x");
  return extent;
}

std::optional<RunList> follow(MPI_Datatype type);

/// Where the copies of a type lie that another is made of.
class Copies {
 public:
  Copies(RunList element, Bytes extent) : element_(std::move(element)), extent_(extent) {}

  [[nodiscard]] Bytes extent() const { return extent_; }

  /// `count` elements one after the other.
  void add_block(Bytes count, Bytes offset) {
    result_.add_copies(element_, count, offset, extent_);
  }

  /// `count` blocks of `length` elements each.
  void add_blocks(Bytes count, Bytes length, Bytes stride) {
    RunList block;
    block.add_copies(element_, length, 0, extent_);
    result_.add_copies(block, count, 0, stride);
  }

  /// A part of an array in as many dimensions as there are `sizes`, the first one fastest.
  void add_part(std::span<const Bytes> sizes, std::span<const Bytes> part,
                std::span<const Bytes> start) {
    RunList inner = element_;
    Bytes stride = extent_;
    Bytes offset = 0;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      RunList outer;
      outer.add_copies(inner, part[k], 0, stride);
      offset += start[k] * stride;
      stride *= sizes[k];
      inner = std::move(outer);
    }
    result_.add_copies(inner, 1, offset, 0);
  }

  [[nodiscard]] RunList take() { return std::move(result_); }

 private:
  RunList element_;
  Bytes extent_;
  RunList result_;
};

void add_subarray(const TypeContents& made, Copies& copies) {
  const auto dimensions = static_cast<std::size_t>(made.integer(0));
  const bool first_is_fastest = made.integer(3 * dimensions + 1) == MPI_ORDER_FORTRAN;
  std::vector<Bytes> numbers[3];  // sizes, sizes of the part, its start
  for (std::size_t which = 0; which < 3; ++which) {
    for (std::size_t k = 0; k < dimensions; ++k) {
      const std::size_t dimension = first_is_fastest ? k : dimensions - 1 - k;
      numbers[which].push_back(made.integer(1 + which * dimensions + dimension));
    }
  }
  copies.add_part(numbers[0], numbers[1], numbers[2]);
}

/// False where the combiner is not followed.
bool add_copies(const TypeContents& made, Copies& copies) {
  const auto blocks = static_cast<std::size_t>(made.combiner() == MPI_COMBINER_DUP ||
                                                       made.combiner() == MPI_COMBINER_RESIZED
                                                   ? 1
                                                   : made.integer(0));
  switch (made.combiner()) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
      copies.add_block(1, 0);
      return true;
    case MPI_COMBINER_CONTIGUOUS:
      copies.add_block(made.integer(0), 0);
      return true;
    case MPI_COMBINER_VECTOR:
      copies.add_blocks(made.integer(0), made.integer(1), made.integer(2) * copies.extent());
      return true;
    case MPI_COMBINER_HVECTOR:
      copies.add_blocks(made.integer(0), made.integer(1), made.address(0));
      return true;
    case MPI_COMBINER_INDEXED:
      for (std::size_t i = 0; i < blocks; ++i) {
        copies.add_block(made.integer(1 + i), made.integer(1 + blocks + i) * copies.extent());
      }
      return true;
    case MPI_COMBINER_HINDEXED:
      for (std::size_t i = 0; i < blocks; ++i) {
        copies.add_block(made.integer(1 + i), made.address(i));
      }
      return true;
    case MPI_COMBINER_INDEXED_BLOCK:
      for (std::size_t i = 0; i < blocks; ++i) {
        copies.add_block(made.integer(1), made.integer(2 + i) * copies.extent());
      }
      return true;
    case MPI_COMBINER_HINDEXED_BLOCK:
      for (std::size_t i = 0; i < blocks; ++i) copies.add_block(made.integer(1), made.address(i));
      return true;
    case MPI_COMBINER_SUBARRAY:
      add_subarray(made, copies);
      return true;
    default:
      return false;
  }
}

std::optional<RunList> follow_struct(const TypeContents& made) {
  RunList result;
  for (std::size_t i = 0; i < made.types().size(); ++i) {
    const std::optional<RunList> part = follow(made.types()[i]);
    if (!part) return std::nullopt;
    result.add_copies(*part, made.integer(1 + i), made.address(i), extent_of(made.types()[i]));
  }
  return result;
}

/// The runs of a type that MPI itself defines: a number has one, a pair such as MPI_SHORT_INT two.
std::optional<RunList> leaf(MPI_Datatype type) {
  MPI_Count size = 0;
  MPI_Count first = 0;
  MPI_Count span = 0;
  check_mpi(MPI_Type_size_x(type, &size), "MPI_Type_size_x");
  check_mpi(MPI_Type_get_true_extent_x(type, &first, &span), "MPI_Type_get_true_extent_x");
  RunList result;
  if (size == 0) return result;
  if (span > kLongestTrial || size > kLongestTrial) return std::nullopt;
  const auto runs = runs_by_trial(type, size, first, span);
  if (!runs) return std::nullopt;
  for (const Run& run : *runs) result.add(run);
  return result;
}

std::optional<RunList> follow(MPI_Datatype type) {
  const TypeContents made(type);
  if (made.is_leaf()) return leaf(type);
  if (made.combiner() == MPI_COMBINER_STRUCT) return follow_struct(made);
  std::optional<RunList> element = follow(made.types()[0]);
  if (!element) return std::nullopt;
  Copies copies(std::move(*element), extent_of(made.types()[0]));
  if (!add_copies(made, copies)) return std::nullopt;
  return copies.take();
}

}  // namespace

std::optional<std::vector<Run>> runs_of(MPI_Datatype type) {
  const std::optional<RunList> found = follow(type);
  if (!found || found->too_many()) return std::nullopt;
  return found->runs();
}

std::optional<std::vector<Run>> runs_by_trial(MPI_Datatype type, Bytes size, Bytes first,
                                              Bytes span) {
  std::vector<std::byte> element(static_cast<std::size_t>(span));
  std::vector<std::byte> packed(static_cast<std::size_t>(size));
  std::vector<Bytes> number_of(packed.size());  // by byte of the packed element
  for (unsigned shift = 0; span >> shift > 0; shift += CHAR_BIT) {
    for (std::size_t i = 0; i < element.size(); ++i) element[i] = std::byte(i >> shift & 0xFF);
    const MPI_Aint origin = address_of(element.data()) - first;
    int position = 0;
    check_mpi(MPI_Pack(at_address(origin), 1, type, packed.data(), static_cast<int>(size),
                       &position, packing_comm()),
              "MPI_Pack");
    if (position != size) return std::nullopt;
    for (std::size_t i = 0; i < packed.size(); ++i) {
      number_of[i] += std::to_integer<Bytes>(packed[i]) << shift;
    }
  }
  RunList runs;
  for (const Bytes number : number_of) {
    if (number >= span) return std::nullopt;
    runs.add({first + number, 1});
  }
  return runs.runs();
}

}  // namespace shunt
