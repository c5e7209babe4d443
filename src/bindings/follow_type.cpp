#include "bindings/follow_type.hpp"

#include <cstddef>
#include <list>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bindings/checked.hpp"
#include "bindings/distributed_type.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

constexpr const char* kPlaceInType = "a displacement in a datatype";

Bytes extent_of(MPI_Datatype type) {
  MPI_Count bound = 0;
  MPI_Count extent = 0;
  check_mpi(MPI_Type_get_extent_x(type, &bound, &extent), "MPI_Type_get_extent_x");
  return extent;
}

/// A type that MPI itself defines. Its data fill it, but for pairs such as MPI_SHORT_INT, in which
/// an int follows a shorter number.
TypeMapPointer predefined(MPI_Datatype type) {
  MPI_Count size = 0;
  MPI_Count first = 0;
  MPI_Count span = 0;
  check_mpi(MPI_Type_size_x(type, &size), "MPI_Type_size_x");
  check_mpi(MPI_Type_get_true_extent_x(type, &first, &span), "MPI_Type_get_true_extent_x");
  if (size == 0) return std::make_shared<const TypeMap>();
  constexpr Bytes kInt = sizeof(int);
  if (size == span) return std::make_shared<const TypeMap>(std::vector<Run>{{first, size}});
  return std::make_shared<const TypeMap>(
      std::vector<Run>{{first, size - kInt}, {first + span - kInt, kInt}});
}

/// How many numbers and types a datatype was made of. Where MPI has functions for large counts,
/// only these answer for all datatypes.
struct Envelope {
#if MPI_VERSION >= 4
  using Count = MPI_Count;
#else
  using Count = int;
#endif

  explicit Envelope(MPI_Datatype type) {
#if MPI_VERSION >= 4
    check_mpi(MPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner),
              "MPI_Type_get_envelope_c");
#else
    check_mpi(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner),
              "MPI_Type_get_envelope");
#endif
  }

  /// Such a type has no contents, and must not be freed.
  [[nodiscard]] bool is_predefined() const {
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
  }

  Count integers = 0;
  Count addresses = 0;
  Count counts = 0;
  Count types = 0;
  int combiner = MPI_COMBINER_NAMED;
};

/// How many of the integers come before the large counts among a constructor's arguments.
std::size_t before_counts(int combiner) {
  if (combiner == MPI_COMBINER_SUBARRAY) return 1;
  return combiner == MPI_COMBINER_DARRAY ? 3 : 0;
}

/// How a datatype was made, as MPI_Type_get_contents says. The types among the contents are freed
/// with this.
struct TypeContents {
  explicit TypeContents(MPI_Datatype type);
  TypeContents(const TypeContents&) = delete;
  TypeContents& operator=(const TypeContents&) = delete;
  ~TypeContents();

  bool predefined = true;  ///< whether MPI defines the type itself
  int combiner = MPI_COMBINER_NAMED;
  std::vector<Bytes> numbers;  ///< the arguments of the constructor that are numbers, in its order
  std::vector<MPI_Datatype> types;
};

TypeContents::TypeContents(MPI_Datatype type) {
  const Envelope envelope(type);
  combiner = envelope.combiner;
  predefined = envelope.is_predefined();
  if (predefined) return;
  std::vector<int> integers(static_cast<std::size_t>(envelope.integers));
  std::vector<MPI_Aint> addresses(static_cast<std::size_t>(envelope.addresses));
  std::vector<MPI_Count> counts(static_cast<std::size_t>(envelope.counts));
  types.resize(static_cast<std::size_t>(envelope.types), MPI_DATATYPE_NULL);
#if MPI_VERSION >= 4
  check_mpi(MPI_Type_get_contents_c(type, envelope.integers, envelope.addresses, envelope.counts,
                                    envelope.types, integers.data(), addresses.data(),
                                    counts.data(), types.data()),
            "MPI_Type_get_contents_c");
#else
  check_mpi(MPI_Type_get_contents(type, envelope.integers, envelope.addresses, envelope.types,
                                  integers.data(), addresses.data(), types.data()),
            "MPI_Type_get_contents");
#endif
  // SimGrid's SMPI tells of structures as indexed types, with their addresses.
  if (combiner == MPI_COMBINER_INDEXED && !addresses.empty()) combiner = MPI_COMBINER_STRUCT;
  const std::size_t before = counts.empty() ? 0 : before_counts(combiner);
  const auto middle = integers.begin() + static_cast<std::ptrdiff_t>(before);
  numbers.assign(integers.begin(), middle);
  numbers.insert(numbers.end(), counts.begin(), counts.end());
  numbers.insert(numbers.end(), middle, integers.end());
  numbers.insert(numbers.end(), addresses.begin(), addresses.end());
}

TypeContents::~TypeContents() {
  for (MPI_Datatype& type : types) {
    if (!Envelope(type).is_predefined()) MPI_Type_free(&type);
  }
}

/// The elements that a type was made of.
struct Element {
  TypeMapPointer map;
  Bytes extent;

  [[nodiscard]] TypePart block(Bytes count, Bytes offset) const {
    return {offset, count, extent, map};
  }
};

/// `count` blocks of `length` elements each.
TypeMapPointer equal_blocks(const Element& element, Bytes count, Bytes length, Bytes stride) {
  return TypeMap::join({{0, count, stride, TypeMap::join({element.block(length, 0)})}});
}

/// The numbers of an indexed type: how many blocks, their lengths and their displacements, in units
/// of `unit` bytes. In a `block` type one length is that of all.
TypeMapPointer indexed(const Element& element, const std::vector<Bytes>& numbers, Bytes unit,
                       bool block) {
  const auto count = static_cast<std::size_t>(numbers[0]);
  const std::size_t places = block ? 2 : 1 + count;
  std::vector<TypePart> parts;
  for (std::size_t i = 0; i < count; ++i) {
    const Bytes length = numbers[block ? 1 : 1 + i];
    // An empty block may be anywhere.
    if (length == 0) continue;
    parts.push_back(element.block(length, times(numbers[places + i], unit, kPlaceInType)));
  }
  return TypeMap::join(std::move(parts));
}

/// Follows one type. What the types in it are made of is kept until the end: where MPI gives the
/// same handle for a type that occurs several times, it is followed once.
class FollowedType {
 public:
  TypeMapPointer follow(MPI_Datatype type) {
    const auto known = known_.find(type);
    if (known != known_.end()) return known->second;
    const TypeContents& made = contents_.emplace_back(type);
    TypeMapPointer map = made.predefined ? predefined(type) : made_of(made);
    known_.emplace(type, map);
    return map;
  }

 private:
  TypeMapPointer made_of(const TypeContents& made) {
    if (made.types.empty()) return std::make_shared<const TypeMap>();
    const int combiner = made.combiner;
    if (combiner == MPI_COMBINER_STRUCT) return structure(made);
    const Element element{follow(made.types[0]), extent_of(made.types[0])};
    if (element.map->size() == 0) return element.map;
    return copies(element, combiner, made.numbers);
  }

  TypeMapPointer structure(const TypeContents& made) {
    const std::vector<Bytes>& numbers = made.numbers;
    const std::size_t count = made.types.size();
    std::vector<TypePart> parts;
    for (std::size_t i = 0; i < count; ++i) {
      const MPI_Datatype type = made.types[i];
      parts.push_back({numbers[1 + count + i], numbers[1 + i], extent_of(type), follow(type)});
    }
    return TypeMap::join(std::move(parts));
  }

  static TypeMapPointer copies(const Element& element, int combiner,
                               const std::vector<Bytes>& numbers) {
    switch (combiner) {
      case MPI_COMBINER_DUP:
      case MPI_COMBINER_RESIZED:
        return element.map;
      case MPI_COMBINER_CONTIGUOUS:
        return TypeMap::join({element.block(numbers[0], 0)});
      case MPI_COMBINER_VECTOR:
        return equal_blocks(
            element, numbers[0], numbers[1],
            numbers[0] > 1 ? times(numbers[2], element.extent, kPlaceInType) : Bytes{0});
      case MPI_COMBINER_HVECTOR:
        return equal_blocks(element, numbers[0], numbers[1], numbers[2]);
      case MPI_COMBINER_INDEXED:
        return indexed(element, numbers, element.extent, false);
      case MPI_COMBINER_HINDEXED:
        return indexed(element, numbers, 1, false);
      case MPI_COMBINER_INDEXED_BLOCK:
        return indexed(element, numbers, element.extent, true);
      case MPI_COMBINER_HINDEXED_BLOCK:
        return indexed(element, numbers, 1, true);
      case MPI_COMBINER_SUBARRAY:
        return subarray(element.map, element.extent, numbers);
      case MPI_COMBINER_DARRAY:
        return distributed_array(element.map, element.extent, numbers);
      default:
        throw Error(ErrorKind::type,
                    fmt::format("a datatype was made in a way that is not known here, of which "
                                "MPI's combiner is {}",
                                combiner));
    }
  }

  std::list<TypeContents> contents_;
  std::map<MPI_Datatype, TypeMapPointer> known_;
};

}  // namespace

TypeMapPointer follow(MPI_Datatype type) { return FollowedType().follow(type); }

}  // namespace shunt
