// p?tran, p?tranu and p?tranc in the place of the PBLAS's, in all spellings of Fortran compilers:
// sub(C) = beta * sub(C) + alpha * op(sub(A)), where op transposes, and conjugates in p?tranc.
#include <complex>
#include <optional>
#include <type_traits>

#include <dlfcn.h>

#include "scalapack/matrix_copy.hpp"
#include "shunt/element_update.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// A descriptor of the PBLAS as ScaLAPACK's: they have a second kind with first blocks of other
/// lengths, and matrices that every row or column of the grid has. Nothing where it is no other.
std::optional<MatrixDescriptor> plain(const int* d) {
  constexpr int kBlockCyclic = 1;
  constexpr int kOwnFirstBlocks = 2;
  MatrixDescriptor made{kBlockCyclic, d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8]};
  if (d[0] == kOwnFirstBlocks) {
    if (d[4] != d[6] || d[5] != d[7]) return std::nullopt;
    made = {kBlockCyclic, d[1], d[2], d[3], d[6], d[7], d[8], d[9], d[10]};
  } else if (d[0] != kBlockCyclic) {
    return std::nullopt;
  }
  if (made.first_row < 0 || made.first_column < 0) return std::nullopt;
  return made;
}

template <class T>
using Tran = void(const int*, const int*, const T*, const T*, const int*, const int*, const int*,
                  const T*, T*, const int*, const int*, const int*);

/// By the PBLAS themselves where the matrices are of kinds of their own, and where nothing goes
/// from A to C: then they do not look at A, nor at all arguments.
template <class T>
void transpose(const char* routine, const char* symbol, bool conjugate, const int* m, const int* n,
               const T* alpha, const T* a, const int* ia, const int* ja, const int* desca,
               const T* beta, T* c, const int* ic, const int* jc, const int* descc) {
  const auto from = plain(desca);
  const auto to = plain(descc);
  const bool moves = !is_empty(*m, *n) && *alpha != T(0);
  or_abort(routine, desca[1], [&] {
    if (from && to && moves) {
      const LinearUpdate<T> update{*alpha, *beta, conjugate};
      // What goes is n x m.
      copy_matrix({*n, *m, {*ia, *ja, *from}, {*ic, *jc, *to}, from->context, sizeof(T), true}, a,
                  c, update.for_elements());
      return;
    }
    auto* const next = reinterpret_cast<Tran<T>*>(::dlsym(RTLD_NEXT, symbol));
    if (next == nullptr) {
      throw Error(
          ErrorKind::argument,
          "a descriptor is of a kind that is left to the PBLAS, or alpha, M or N is 0, which "
          "is left to them too; but they are not there");
    }
    next(m, n, alpha, a, ia, ja, desca, beta, c, ic, jc, descc);
  });
}

}  // namespace

}  // namespace shunt

#define SHUNT_TRAN_NAMED(symbol, routine, T, conjugate)                                          \
  void symbol(const int* m, const int* n, const T* alpha, const T* a, const int* ia,             \
              const int* ja, const int* desca, const T* beta, std::add_pointer_t<T> c,           \
              const int* ic, const int* jc, const int* descc) {                                  \
    shunt::transpose<T>(routine, #symbol, conjugate, m, n, alpha, a, ia, ja, desca, beta, c, ic, \
                        jc, descc);                                                              \
  }

#define SHUNT_TRAN(lower, upper, routine, T, conjugate) \
  SHUNT_TRAN_NAMED(lower, routine, T, conjugate)        \
  SHUNT_TRAN_NAMED(lower##_, routine, T, conjugate)     \
  SHUNT_TRAN_NAMED(lower##__, routine, T, conjugate)    \
  SHUNT_TRAN_NAMED(upper, routine, T, conjugate)

extern "C" {
SHUNT_TRAN(pstran, PSTRAN, "PSTRAN", float, false)
SHUNT_TRAN(pdtran, PDTRAN, "PDTRAN", double, false)
SHUNT_TRAN(pctranu, PCTRANU, "PCTRANU", std::complex<float>, false)
SHUNT_TRAN(pztranu, PZTRANU, "PZTRANU", std::complex<double>, false)
SHUNT_TRAN(pctranc, PCTRANC, "PCTRANC", std::complex<float>, true)
SHUNT_TRAN(pztranc, PZTRANC, "PZTRANC", std::complex<double>, true)
}
