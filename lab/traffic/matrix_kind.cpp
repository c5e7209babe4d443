#include "lab/traffic/matrix_kind.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include <fmt/format.h>

#include "model/parse.hpp"

namespace shunt {
namespace {

template <class Value>
struct NamedKind {
  std::string_view name;  ///< as the format spells it
  Value value;
};

/// The first name of a field is the format's own; the others are those of its first readers and of
/// Python's writers.
constexpr std::array<NamedKind<MatrixField>, 6> kMatrixFields{
    {{"pattern", MatrixField::pattern},
     {"integer", MatrixField::integer},
     {"unsigned-integer", MatrixField::integer},
     {"real", MatrixField::real},
     {"double", MatrixField::real},
     {"complex", MatrixField::complex}}};

constexpr std::array<NamedKind<MatrixSymmetry>, 4> kMatrixSymmetries{
    {{"general", MatrixSymmetry::general},
     {"symmetric", MatrixSymmetry::symmetric},
     {"skew-symmetric", MatrixSymmetry::skew_symmetric},
     {"Hermitian", MatrixSymmetry::hermitian}}};

/// Whether the two are the same but for the kind of their letters.
bool is_same_word(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other, {}, to_lower, to_lower);
}

template <class Value>
Value value_named(const InputFile& file, std::span<const NamedKind<Value>> all, const char* what,
                  std::string_view word, const char* rule) {
  const auto found = std::ranges::find_if(
      all, [word](const NamedKind<Value>& known) { return is_same_word(known.name, word); });
  if (found == all.end()) {
    file.fail(fmt::format("the {} is \"{}\", but must be {}", what, word, rule));
  }
  return found->value;
}

/// What the format has no files of.
void check_matrix_kind(const InputFile& file, const MatrixKind& kind) {
  if (kind.symmetry == MatrixSymmetry::hermitian && kind.field != MatrixField::complex) {
    file.fail(
        fmt::format("a Hermitian matrix must have the field complex, not {}", name_of(kind.field)));
  }
  if (kind.symmetry == MatrixSymmetry::skew_symmetric && kind.field == MatrixField::pattern) {
    file.fail("a matrix of the field pattern must be general or symmetric, not skew-symmetric");
  }
}

}  // namespace

std::string_view name_of(MatrixField field) {
  return std::ranges::find(kMatrixFields, field, &NamedKind<MatrixField>::value)->name;
}

std::string_view name_of(MatrixSymmetry symmetry) {
  return std::ranges::find(kMatrixSymmetries, symmetry, &NamedKind<MatrixSymmetry>::value)->name;
}

MatrixKind read_matrix_kind(InputFile& file) {
  std::string line;
  if (!file.next_line(line, kLongestMatrixLine)) file.fail("the file is empty");
  std::string_view rest = line;
  if (!is_same_word(take_word(rest), "%%MatrixMarket")) {
    file.fail("the file must begin with \"%%MatrixMarket matrix coordinate\"");
  }
  const std::string_view object = take_word(rest);
  if (!is_same_word(object, "matrix")) {
    file.fail(fmt::format("the object is \"{}\", but must be matrix", object));
  }
  const std::string_view format = take_word(rest);
  if (!is_same_word(format, "coordinate")) {
    file.fail(fmt::format("the format is \"{}\", but must be coordinate, that of sparse matrices",
                          format));
  }
  MatrixKind kind;
  kind.field = value_named<MatrixField>(file, kMatrixFields, "field", take_word(rest),
                                        "pattern, integer, real or complex");
  kind.symmetry = value_named<MatrixSymmetry>(file, kMatrixSymmetries, "symmetry", take_word(rest),
                                              "general, symmetric, skew-symmetric or Hermitian");
  check_matrix_kind(file, kind);
  return kind;
}

}  // namespace shunt
